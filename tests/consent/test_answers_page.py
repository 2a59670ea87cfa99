"""The page of background answers: counts for each question, answers under codes."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import BackgroundAnswer, Campaign
from annotation.selectors.background import answer_tallies
from annotation.services.background import Given, Question, background_answer, question_add
from tests.factories import make_annotator, make_campaign
from tests.pages.clients import client_of, text_of

pytestmark = pytest.mark.django_db
PAGE = "/c/camp/consent/answers/"


@pytest.fixture
def answered() -> Campaign:
    """Two answer, one of them only one question; a third has not begun."""
    campaign = make_campaign(items=1)
    asked = [
        Question("How old are you?", "number", name="age"),
        Question("Which do you speak?", "choices", ["Czech", "Danish", "Dutch"], name="speaks"),
        Question("Anything else?", name="else"),
    ]
    age, speaks, other = (
        question_add(campaign=campaign, question=one, actor=None) for one in asked
    )
    for name, given in (
        ("bob", {age.key: Given(["40"]), speaks.key: Given(["Dutch", "Czech"])}),
        ("ben", {age.key: Given(declined=True), speaks.key: Given(["Dutch"])}),
    ):
        voice = make_annotator(campaign, name)
        background_answer(annotator=voice, answers={**given, other.key: Given([""])})
    make_annotator(campaign, "beth")
    return campaign


def test_each_answer_is_counted(answered: Campaign, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(2):
        age, speaks, other = answer_tallies(campaign=answered)
    assert (age.counts, age.answered, age.declined, age.empty) == ((("40", 1),), 1, 1, 0)
    assert speaks.counts == (("Czech", 1), ("Danish", 0), ("Dutch", 2))
    assert (other.counts, other.answered, other.declined, other.empty) == ((), 0, 0, 2)


def test_the_page_shows_codes_and_no_names(answered: Campaign) -> None:
    page = client_of("dora").get(PAGE)
    text = text_of(page)
    for words in ("How old are you?", "Danish", "Czech, Dutch", "would rather not say", "A01"):
        assert words in text
    assert not any(name in text for name in ("bob", "ben", "beth"))
    assert PAGE in client_of("dora").get("/c/camp/consent/").content.decode()


def test_annotators_and_viewers_do_not_read_it(answered: Campaign) -> None:
    assert client_of("bob").get(PAGE).status_code == 403
    assert client_of("vera").get(PAGE).status_code == 403


def test_a_campaign_that_asks_nothing_says_so() -> None:
    make_campaign(items=1)
    assert "Nothing is asked." in text_of(client_of("dora").get(PAGE))


def test_more_annotators_cost_no_more_queries(
    answered: Campaign, django_assert_num_queries: Any
) -> None:
    client = client_of("dora")
    with CaptureQueriesContext(connection) as few:
        assert client.get(PAGE).status_code == 200
    speaks = answered.background_questions.get(name="speaks")
    beth = make_annotator(answered, "beth")
    BackgroundAnswer.objects.create(
        annotator=beth, question=speaks, value=["Danish"], at=timezone.now()
    )
    with django_assert_num_queries(len(few)):
        client.get(PAGE)

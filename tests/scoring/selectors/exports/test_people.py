"""The export of annotators: what they agreed to and answered, under codes."""

import json

import pytest

from annotation.people.background import (
    Given,
    Question,
    question_add,
)
from annotation.people.exclusions import annotator_withdraw
from scoring.exports.rows import exports_of
from scoring.exports.services import export_order
from tests.clients import client_of
from tests.factories import (
    agree,
    ask_consent,
    give_answers,
    make_annotator,
    make_campaign,
    make_user,
)
from tests.scoring.factories import written


@pytest.fixture
def answered():
    """Bob answered, Ben would rather not and withdrew, Beth is erased; one annotator was
    imported.
    """
    campaign = make_campaign(items=1)
    ask_consent(campaign, "Text")
    ask = [Question("How old?", "number", name="age"), Question("Which?", "choices", ["a", "b"])]
    age, which = (question_add(campaign=campaign, question=one, actor=None) for one in ask)
    for name, given in (
        ("bob", {age.key: Given(["40"]), which.key: Given(["b", "a"])}),
        ("ben", {age.key: Given(declined=True)}),
        ("beth", {age.key: Given(["50"])}),
    ):
        annotator = make_annotator(campaign, name)
        agree(annotator)
        give_answers(annotator, given)
    annotator_withdraw(annotator=make_annotator(campaign, "ben"))
    annotator_withdraw(annotator=make_annotator(campaign, "beth"), erase=True)
    campaign.annotators.create(code="X", origin="imported")
    return campaign


def test_rows_by_code(answered, django_assert_max_num_queries):
    text = written(answered, "annotators", format="jsonl").decode()
    bob, ben, beth, other = map(json.loads, text.splitlines())
    assert bob["background.age"] == 40 and bob["background.q1"] == ["a", "b"]
    assert bob["consent_version"] == 1 and "withdrawn_at" not in bob
    assert bob["question.age"] == "How old?" and bob["question.q1"] == "Which?"
    assert ben["question.age"] == "How old?" and "question.age" not in other
    assert ben["declined"] == ["age"] and ben["withdrawn_at"] and ben["background.q1"] is None
    assert beth["erased"] is True and beth["consent_version"] == 1
    assert "background.age" not in beth and other["origin"] == "imported"
    assert not any(name in text for name in ("bob", "ben", "beth"))
    with django_assert_max_num_queries(4):
        lines = written(answered, "annotators").decode().splitlines()
    assert lines[0] == (
        "annotator,origin,not_blind_since,consent_version,consented_at,withdrawn_at,erased,"
        "question.age,background.age,question.q1,background.q1,declined,excluded_reason,"
        "excluded_since"
    )
    assert lines[1].startswith("A01,invited,,1,") and lines[1].endswith(
        ",How old?,40,Which?,a|b,,,"
    )


@pytest.mark.usefixtures("answered")
def test_the_page_offers_it_and_the_api_shows_the_same():
    vera = client_of("vera")
    assert b'value="annotators"' in vera.get("/c/camp/exports/").content
    rows = vera.get("/api/v1/campaigns/camp/annotators").json()["results"]
    assert [row["withdrawn_at"] is None for row in rows] == [True, False, False, True]


# The exports that a person ordered are theirs alone.


def test_they_are_told_to_nobody_else():
    alice = make_user("alice")
    campaign = make_campaign(items=1)
    export_order(campaign=campaign, what="judgments", format="csv", actor=alice)
    assert [row["what"] for row in exports_of(alice)["exports"]] == ["judgments"]
    assert list(exports_of(make_user("bob"))["exports"]) == []

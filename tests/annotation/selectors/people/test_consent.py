"""The consent text that is current, and who has agreed to which."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Campaign
from annotation.selectors.people.consent import consent_newest, consent_of, consent_versions
from annotation.services.people.consent import consent_give, consent_text_add
from annotation.services.people.withdrawal import annotator_withdraw
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db


def test_an_empty_text_ends_the_question(campaign: Campaign) -> None:
    assert consent_newest(campaign=campaign) is None
    for text in ("One", "Two"):
        consent_text_add(campaign=campaign, text=text, actor=None)
    newest = consent_newest(campaign=campaign)
    assert newest is not None and newest.text == "Two"
    consent_text_add(campaign=campaign, text="", actor=None)
    assert consent_newest(campaign=campaign) is None


def test_the_newest_consent_is_that_of_an_annotator_until_they_leave(campaign: Campaign) -> None:
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    for text in ("One", "Two"):
        version = consent_text_add(campaign=campaign, text=text, actor=None)
        assert version is not None
        consent_give(annotator=bob, version=version.version)
    given = consent_of(annotator=bob)
    assert given is not None and given.text.text == "Two"
    assert consent_of(annotator=ben) is None
    annotator_withdraw(annotator=bob)
    assert consent_of(annotator=bob) is None


def test_versions_count_the_consents_that_are_in_force(
    campaign: Campaign, django_assert_num_queries: Any
) -> None:
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    consent_text_add(campaign=campaign, text="One", actor=None)
    for annotator in (bob, ben):
        consent_give(annotator=annotator, version=1)
    consent_text_add(campaign=campaign, text="Two", actor=None)
    consent_give(annotator=ben, version=2)
    annotator_withdraw(annotator=bob)
    with django_assert_num_queries(1):
        found = [(one.text, one.agreed) for one in consent_versions(campaign=campaign)]
    assert found == [("Two", 1), ("One", 1)]

"""The first page: what a user judges, what is in progress, and ways in."""

import re

from tests.clients import client_of, text_of
from tests.factories import make_annotator, make_campaign, rate_all


def test_annotators_find_what_to_judge_and_how_far_they_are():
    campaign = make_campaign(items=2)
    page = text_of(client_of("bob").get("/"))
    assert "To judge" in page and "Begin" in page and "In progress" not in page
    rate_all(make_annotator(campaign, "bob"), at_most=1)
    page = text_of(client_of("bob").get("/"))
    assert "Sheets done: 1, left: 1" in page and "Go on" in page


def test_readers_find_what_is_in_progress_and_others_what_to_do(campaign):
    page = text_of(client_of("vera").get("/"))
    assert "In progress" in page and "Camp" in page and "To judge" not in page
    assert (
        re.search(r"0 / \d", page) and "Nobody has judged" not in page
    )  # That is for researchers.
    page = text_of(client_of("dora").get("/"))
    assert "Nobody has judged here yet Camp : the campaign is open Invite" in page
    page = text_of(client_of("charlie").get("/"))
    assert "There is nothing here yet." in page and "Camp " not in page


def test_drafts_and_closed_ones_stand_apart(campaign):
    draft = make_campaign("draft", open_it=False)
    page = text_of(client_of("alice").get("/"))
    before, after = page.split("Drafts, and what is closed")
    assert draft.name in after and draft.name not in before and "Camp" in before

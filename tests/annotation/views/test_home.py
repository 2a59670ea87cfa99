"""The first page: what a user judges, and what they look after."""

from tests.clients import client_of, text_of
from tests.factories import make_annotator, make_campaign, rate_all


def test_annotators_find_what_to_judge_and_how_far_they_are():
    campaign = make_campaign(items=2)
    page = text_of(client_of("bob").get("/"))
    assert "To judge" in page and "Begin" in page and "To look after" not in page
    rate_all(make_annotator(campaign, "bob"), at_most=1)
    page = text_of(client_of("bob").get("/"))
    assert "Sheets done: 1, left: 1" in page and "Go on" in page


def test_readers_find_what_to_look_after_and_others_what_to_do(campaign):
    page = text_of(client_of("vera").get("/"))
    assert "To look after" in page and "Camp" in page and "To judge" not in page
    page = text_of(client_of("charlie").get("/"))
    assert "There is nothing here yet." in page and "Camp " not in page

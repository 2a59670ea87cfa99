"""What refusals tell, which pages open, and how often the database is asked for them.

Who may see what is walked through in tests/site/permissions.
"""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.people.exclusions import exclusion_add
from annotation.people.membership import invitation_create
from tests.clients import client_of, text_of
from tests.factories import (
    make_annotator,
    make_campaign,
    make_user,
    rate_all,
)

pytestmark = pytest.mark.django_db


def test_refusals_are_pages_that_tell_nothing():
    make_campaign(items=1)
    there, nowhere = (
        text_of(client_of("charlie").get(f"/c/{slug}/")) for slug in ("camp", "nowhere")
    )
    assert there == nowhere and "There is no such campaign." in there
    bob = client_of("bob")
    assert "Your role in this campaign does not allow that." in text_of(bob.get("/c/camp/items/"))
    assert bob.get("/c/camp/")["Location"] == "/rate/camp/"
    assert client_of("").get("/c/camp/")["Location"] == "/accounts/login/?next=/c/camp/"


@pytest.mark.slow
def test_pages_of_the_rooms_are_those_that_open():
    make_campaign(items=1)
    for name in ("alice", "vera"):
        client = client_of(name)
        overview = client.get("/c/camp/").context
        pages = [page["url"] for room in overview["rooms"] for page in room["pages"]]
        assert overview["at_overview"] and len(pages) > 10
        assert {page: client.get(page).status_code for page in pages} == dict.fromkeys(pages, 200)


def busy_campaign(slug, size):
    """A campaign with `size` items, annotators, exclusions, invitations and guidelines."""
    campaign = make_campaign(slug, items=size, k=size)
    alice = make_user("alice")
    for number in range(size):
        annotator = make_annotator(campaign, f"{slug}-annotator-{number}")
        rate_all(annotator, at_most=2)
        invitation_create(campaign=campaign, actor=alice)
        exclusion_add(target=annotator, reason="test", actor=alice)
    return campaign


def queries_of(page, *arguments):
    """How many queries the owner's second look at the page takes."""
    client, address = client_of("alice"), reverse(page, args=arguments)
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


@pytest.mark.slow
def test_lists_ask_the_database_as_often_for_many_rows():
    few, many = busy_campaign("few", 2), busy_campaign("many", 7)
    for page in ("campaign", "items", "people", "audit", "import", "settings"):
        assert queries_of(page, few.slug) == queries_of(page, many.slug) <= 25, page


def test_the_page_of_an_item_asks_as_often_for_many_texts_and_annotators():
    counts = set()
    for slug, systems, annotators in (("few", 2, 1), ("many", 6, 5)):
        campaign = make_campaign(slug, items=1, systems=systems, k=annotators)
        for number in range(annotators):
            rate_all(make_annotator(campaign, f"{slug}-{number}"))
        counts.add(queries_of("item", slug, campaign.items.get().key))
    assert len(counts) == 1

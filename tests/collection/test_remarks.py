"""Flags and comments: rows are only added, and the newest on a place stands."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client

from annotation.models import Annotator, Remark, Sheet
from annotation.selectors.remarks import remarks_of
from annotation.selectors.sheets import sheet_get, sheet_view
from annotation.services.claiming import claim_next
from annotation.services.errors import Invalid, NotFound
from annotation.services.remarks import remark_add
from tests.factories import PASSWORD, make_annotator, make_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def place() -> tuple[Annotator, Sheet]:
    campaign = make_campaign(items=1, k=2)
    bob = make_annotator(campaign, "bob")
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    return bob, sheet


def say(bob: Annotator, sheet: Sheet, text: str, *, about=None, flagged=False, request=None):
    return remark_add(
        annotator=bob, sheet_key=sheet.key, substitution_key=about, flagged=flagged, text=text,
        request_id=request or uuid4(),
    )  # fmt: skip


def test_the_newest_on_a_place_stands_and_nothing_is_deleted(place) -> None:
    bob, sheet = place
    text = sheet.entries.select_related("substitution").first().substitution
    say(bob, sheet, "odd", about=text.key, flagged=True)
    say(bob, sheet, "the whole item is odd")
    say(bob, sheet, "odd after all", about=text.key)
    assert [one.text for one in remarks_of(campaign=bob.campaign)] == [
        "odd after all",
        "the whole item is odd",
    ]
    view = sheet_view(annotator=bob, sheet=sheet_get(annotator=bob, key=sheet.key))
    assert view.remark.text == "the whole item is odd"
    assert {one.remark.text for one in view.substitutions} == {"odd after all", ""}
    say(bob, sheet, "")
    assert [one.text for one in remarks_of(campaign=bob.campaign)] == ["odd after all"]
    assert Remark.objects.count() == 4


def test_the_same_request_is_kept_once(place) -> None:
    bob, sheet = place
    request = uuid4()
    assert say(bob, sheet, "odd", request=request) == say(bob, sheet, "odd", request=request)
    assert Remark.objects.count() == 1


def test_only_on_ones_own_sheet_and_not_without_end(place) -> None:
    bob, sheet = place
    stranger = make_annotator(bob.campaign, "ben")
    with pytest.raises(NotFound):
        say(stranger, sheet, "hello")
    with pytest.raises(NotFound):
        say(bob, sheet, "hello", about=uuid4())
    with pytest.raises(Invalid):
        say(bob, sheet, "x" * 5001)
    assert not Remark.objects.exists()


def test_researchers_read_them(place) -> None:
    bob, sheet = place
    say(bob, sheet, "<b>odd</b>", flagged=True)
    client = Client()
    client.login(username="alice", password=PASSWORD)
    page = client.get(f"/c/{bob.campaign.slug}/remarks/").content.decode()
    assert "&lt;b&gt;odd&lt;/b&gt;" in page
    assert f"/items/{sheet.item.key}/" in page

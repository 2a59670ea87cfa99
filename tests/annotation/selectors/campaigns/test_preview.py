"""A sheet that is nowhere: as the item would be shown, or with a text that somebody typed."""

from uuid import uuid4

import pytest

from annotation.campaigns.services import campaign_create
from annotation.campaigns.setup import (
    OwnText,
    item_to_preview,
    items_to_preview,
    nobody,
    preview_of_item,
    preview_of_own,
)
from annotation.collecting.sheets import sheet_view
from annotation.errors import Invalid, NotFound
from annotation.models import Annotator
from annotation.quality.rules import copies_make
from tests.factories import make_campaign


def test_it_shows_what_an_annotator_sees(place):
    bob, sheet = place
    real = sheet_view(annotator=bob, sheet=sheet)
    item = items_to_preview(campaign=bob.campaign).get()
    shown = preview_of_item(campaign=bob.campaign, item=item)
    for name in ("phrase", "before", "after", "whole_sentence", "language", "scales", "remark"):
        assert getattr(shown, name) == getattr(real, name), name
    assert {one.text: one for one in shown.substitutions} == {
        one.text: one for one in real.substitutions
    }
    assert shown.state == real.state == "claimed"


def test_a_draft_is_shown_cut_as_its_sheets_will_be_and_without_checks():
    campaign = make_campaign(items=1, systems=3, open_it=False, max_per_sheet=2)
    copies_make(campaign=campaign, items=1, seed=1, actor=None)
    item = item_to_preview(campaign=campaign, key=None)
    shown = preview_of_item(campaign=campaign, item=item)
    assert len(shown.substitutions) == 2
    assert not {one.text for one in shown.substitutions} & {item.phrase.text}
    assert not Annotator.objects.exists() and not campaign.sheets.exists()


def test_a_typed_text():
    campaign = campaign_create(actor=None, slug="new", template="phrase-ko")
    shown = preview_of_own(campaign=campaign, own=OwnText("A b c.", "b", "x"))
    [text] = shown.substitutions
    assert (shown.before, shown.phrase, shown.after) == ("A ", "b", " c.")
    assert (text.before, text.text, text.after) == ("A ", "x", " c.")
    assert shown.language == "ko" and not shown.whole_sentence
    assert preview_of_own(campaign=campaign, own=OwnText("A b.", "", "x")).whole_sentence
    for own in (OwnText("A b.", "z", "x"), OwnText("", "", "x")):
        with pytest.raises(Invalid, match="must be in the sentence"):
            preview_of_own(campaign=campaign, own=own)


def test_items_are_those_of_the_campaign():
    campaign, other = make_campaign(items=2), make_campaign("other", items=1)
    item = other.items.get()
    for key in (item.key, uuid4()):
        with pytest.raises(NotFound):
            item_to_preview(campaign=campaign, key=key)
    assert item_to_preview(campaign=other, key=item.key) == item
    assert nobody(campaign).pk is None
    assert item_to_preview(campaign=campaign_create(actor=None, slug="new"), key=None) is None

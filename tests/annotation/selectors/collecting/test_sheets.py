"""A sheet as its annotator may see it: random ids, texts and their own answers, nothing else."""

from __future__ import annotations

import pytest

from annotation.errors import NotFound
from annotation.selectors.campaigns.guidelines import guideline_get
from annotation.selectors.collecting.sheets import sheet_get
from annotation.selectors.collecting.sql import place
from annotation.services.campaigns.campaigns import guideline_add
from tests.factories import make_annotator
from tests.site.permissions.world import make_world

pytestmark = pytest.mark.django_db


def test_sheets_texts_and_guidelines_of_another_campaign_are_not_there() -> None:
    one, other = make_world("camp"), make_world("beside")
    scale = one.campaign.scales.all()[0]
    text = one.sheet.entries.all()[0].substitution
    asked = {"sheet": one.sheet.key, "substitution": text.key, "scale": scale.key}
    found = place(campaign_id=one.campaign.pk, **asked)
    assert found is not None and (found[0], found[2]) == (one.sheet, scale)
    assert place(campaign_id=other.campaign.pk, **asked) is None
    foreign = other.campaign.scales.all()[0].key
    assert place(campaign_id=one.campaign.pk, **{**asked, "scale": foreign}) is None
    stranger = make_annotator(one.campaign, "cleo")
    for voice, world in ((one.bob, other), (other.bob, one), (stranger, one)):
        with pytest.raises(NotFound):
            sheet_get(annotator=voice, key=world.sheet.key)
    added = guideline_add(campaign=other.campaign, text="Judge otherwise.", actor=None)
    assert guideline_get(campaign=other.campaign, version=str(added.version)) == added
    with pytest.raises(NotFound):
        guideline_get(campaign=one.campaign, version=str(added.version))

"""A sheet as its annotator may see it: random ids, texts and their own answers, nothing else."""

import pytest

from annotation.collecting.sheets import sheet_get
from annotation.errors import NotFound
from tests.factories import make_annotator
from tests.site.permissions.world import make_world


def test_a_sheet_of_another_campaign_or_person_is_not_there():
    one, other = make_world("camp"), make_world("beside")
    stranger = make_annotator(one.campaign, "cleo")
    for voice, world in ((one.bob, other), (other.bob, one), (stranger, one)):
        with pytest.raises(NotFound):
            sheet_get(annotator=voice, key=world.sheet.key)

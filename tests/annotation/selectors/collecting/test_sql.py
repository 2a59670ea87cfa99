"""The statements of saves and claims: rows of the right campaign, columns in the right order."""

from types import SimpleNamespace
from uuid import uuid4

import pytest

from annotation.collecting.save_queries import Answer, GivenAnswer
from annotation.collecting.saving import sheet_save
from annotation.collecting.sheets import sheet_get
from annotation.errors import NotFound
from annotation.models import Campaign
from annotation.sheets import sql
from tests.factories import make_annotator
from tests.site.permissions.world import make_world


def test_columns_of_a_row_are_named_in_the_order_of_the_model():
    """`Model.from_db` takes values by position: any other order would exchange them."""
    row = SimpleNamespace(campaign_lease_minutes=45, campaign_allow_revision=False)
    right = sql._part(row, Campaign, "campaign", "lease_minutes", "allow_revision")
    assert (right.lease_minutes, right.allow_revision) == (45, False)
    for names in [("allow_revision", "lease_minutes"), ("lease_minutes", "no_such_column")]:
        with pytest.raises(ValueError, match="in its order"):
            sql._part(row, Campaign, "campaign", *names)


def test_an_answer_belongs_to_a_sheet_a_text_on_it_and_a_scale_of_one_campaign():
    one, other = make_world("camp"), make_world("beside")
    text = one.sheet.entries.all()[0].substitution
    scale, foreign = one.campaign.scales.all()[0], other.campaign.scales.all()[0]
    ann = one.campaign.annotators.get(slots__sheet=one.sheet)

    def sent(sheet, scale):
        given = GivenAnswer(uuid4(), text.key, scale.key, 0, Answer(scale.minimum))
        return sheet_save(annotator=ann, sheet_key=sheet.key, answers=[given], done=False)

    assert not isinstance(sent(one.sheet, scale).answers[0], NotFound)
    assert isinstance(sent(one.sheet, foreign).answers[0], NotFound)
    with pytest.raises(NotFound):
        sent(other.sheet, scale)


def test_a_sheet_of_another_campaign_or_person_is_not_there():
    one, other = make_world("camp"), make_world("beside")
    stranger = make_annotator(one.campaign, "cleo")
    for voice, world in ((one.bob, other), (other.bob, one), (stranger, one)):
        with pytest.raises(NotFound):
            sheet_get(annotator=voice, key=world.sheet.key)

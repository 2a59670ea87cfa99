"""The statements of saves and claims: rows of the right campaign, columns in the right order."""

from types import SimpleNamespace

import pytest

from annotation.models import Campaign
from annotation.sheets import sql
from annotation.sheets.sql import question
from tests.site.permissions.world import make_world


def test_columns_of_a_row_are_named_in_the_order_of_the_model():
    """`Model.from_db` takes values by position: any other order would exchange them."""
    row = SimpleNamespace(campaign_lease_minutes=45, campaign_allow_revision=False)
    right = sql._part(row, Campaign, "campaign", "lease_minutes", "allow_revision")
    assert (right.lease_minutes, right.allow_revision) == (45, False)
    for names in [("allow_revision", "lease_minutes"), ("lease_minutes", "no_such_column")]:
        with pytest.raises(ValueError, match="in its order"):
            sql._part(row, Campaign, "campaign", *names)


def test_a_place_is_a_sheet_a_text_on_it_and_a_scale_of_one_campaign():
    one, other = make_world("camp"), make_world("beside")
    scale = one.campaign.scales.all()[0]
    text = one.sheet.entries.all()[0].substitution
    asked = {"sheet": one.sheet.key, "substitution": text.key, "scale": scale.key}
    found = question(campaign_id=one.campaign.pk, **asked)
    assert (found[0], found[2]) == (one.sheet, scale)
    assert question(campaign_id=other.campaign.pk, **asked) is None
    foreign = other.campaign.scales.all()[0].key
    assert question(campaign_id=one.campaign.pk, **{**asked, "scale": foreign}) is None

"""The parts of a template beside its scales: tests/annotation/selectors/campaigns/test_template.py
makes campaigns from any; here is what cannot be made."""

import pytest

from annotation.campaigns.services import campaign_create
from annotation.campaigns.templating.changes import template_read
from annotation.campaigns.templating.parts import practice_texts_write
from annotation.errors import Invalid
from annotation.models import Campaign, PracticeText
from paraanno.common.panel_links import PracticeTextTemplate
from tests.factories import make_campaign


def test_nothing_is_made_of_a_template_with_a_part_that_does_not_fit():
    """Tolerances of scales that the file does not have are looked at when it is used."""
    read = template_read(data=b"practice: {tolerance: {OTHER: 1}}", name="t.yaml")
    assert read.template is not None
    with pytest.raises(Invalid, match="There is no scale OTHER"):
        campaign_create(actor=None, slug="new", template=read.template)
    assert not Campaign.objects.exists()


def test_a_practice_text_of_an_unknown_scale_is_refused():
    campaign = make_campaign(open_it=False)
    text = PracticeTextTemplate("A word.", "word", "term", {"OTHER": (1, 2, "")})
    with pytest.raises(Invalid, match="there is no scale"):
        practice_texts_write(campaign=campaign, texts=[text], actor=None)
    assert not PracticeText.objects.exists()

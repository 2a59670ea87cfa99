"""`verify` names each broken rule with its rows, and the command fails."""

from django.db.models import F

from annotation.models import Campaign
from annotation.verify import rules, verify
from annotation.verify.rules import SHOWN
from tests.annotation.selectors.verify import (
    test_judgments,
    test_people,
    test_quality,
    test_sheets,
    test_texts,
)
from tests.factories import make_campaign


def test_a_broken_rule_lists_ten_rows():
    campaign = make_campaign(items=12, cast=False, open_it=False)
    campaign.items.update(start=F("start") + 1)
    [broken] = verify(campaign=campaign)
    assert len(broken.rows) == SHOWN == 10


def test_a_campaign_that_was_read_before_is_read_again():
    """Its rules say what its settings are now, not what they were."""
    before = make_campaign(items=1, max_per_sheet=None)
    Campaign.objects.update(max_per_sheet=1)
    assert [broken.rule for broken in verify(campaign=before)] == [
        "A sheet has as many substitutions as the campaign allows, and at least one"
    ]


def test_another_campaigns_broken_rows_are_not_reported():
    make_campaign("other", items=1).phrases.update(text_hash="0" * 64)
    assert verify(campaign=make_campaign(items=1)) == []


def test_each_rule_has_its_break():
    """Of texts that stand together, test_texts.py breaks the rule in a test of its own."""
    parts = (test_judgments, test_people, test_quality, test_sheets, test_texts)
    beginnings = [beginning for part in parts for beginning, _ in part.BREAKS]
    own = [one for one, check in rules().items() if check.__module__.startswith("annotation.")]
    whole = test_texts.TOGETHER
    assert [one for one in own if not one.startswith((*beginnings, whole))] == []

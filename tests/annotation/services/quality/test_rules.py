"""The rules of hidden quality control: the plan of a campaign, its rules, expected bands."""

import pytest

from annotation.errors import Invalid
from annotation.models import QualityAction, QualityRule
from annotation.quality.rules import plan_set, rule_add, rule_end
from tests.annotation.services.quality.strict import bad, strict, worker
from tests.factories import make_campaign


def test_an_ended_rule_decides_nothing_and_may_be_made_again():
    campaign = strict("note")
    with pytest.raises(Invalid):
        rule_add(campaign=campaign, check="control", least=1, share=1, act="note", actor=None)
    rule_end(rule=QualityRule.objects.get(), actor=None)
    bad(worker(campaign), 3)
    assert not QualityAction.objects.exists()
    rule_add(campaign=campaign, check="control", least=1, share=1, act="note", actor=None)


@pytest.mark.parametrize(
    "changes",
    [
        {"delay_least": 6, "delay_most": 5},
        {"repeat_share": 1.5},
        {"fast_seconds": -1},
        {"colour": 1},
    ],
)
def test_a_plan_must_make_sense(changes):
    with pytest.raises(Invalid):
        plan_set(campaign=make_campaign(open_it=False), actor=None, changes=changes)

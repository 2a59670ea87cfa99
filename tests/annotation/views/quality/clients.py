"""A researcher and an annotator at a campaign that is watched."""

from annotation.quality.rules import plan_set, rule_add
from tests.annotation.services.quality.acts import control, work
from tests.factories import make_annotator, make_campaign

BASE = "/c/camp/quality/"


def watched(act="warn"):
    """Bob fails every control, and a rule has acted after his second sheet."""
    campaign = make_campaign(items=4, systems=1, k=1)
    for number in range(4):
        word = "shared" if number % 3 == 2 else "system 0"
        control(campaign, f"{word} paraphrase {number}", 5, 5)
    plan_set(campaign=campaign, actor=None, changes={"delay_least": 1, "delay_most": 1})
    rule_add(campaign=campaign, check="control", least=2, share=0.5, act=act, actor=None)
    bob = make_annotator(campaign, "bob")
    work(bob, lambda text, scale: 1, sheets=2)
    return campaign, bob

"""A strict rule, and a bad sheet."""

from annotation.quality.rules import plan_set, rule_add
from tests.annotation.services.quality.acts import control, work
from tests.factories import make_annotator, make_campaign


def strict(act, *, least=2, share=0.5, delay=2):
    """Every item has a control that wants 5, and one rule watches them."""
    campaign = make_campaign(items=12, systems=1, k=2)
    for number in range(12):
        word = "shared" if number % 3 == 2 else "system 0"
        control(campaign, f"{word} paraphrase {number}", 5, 5)
    plan_set(campaign=campaign, actor=None, changes={"delay_least": delay, "delay_most": delay})
    rule_add(campaign=campaign, check="control", least=least, share=share, act=act, actor=None)
    return campaign


def worker(campaign, name="bob"):
    return make_annotator(campaign, name)


def bad(annotator, sheets):
    return work(annotator, lambda text, scale: 1, sheets=sheets, seconds=0)

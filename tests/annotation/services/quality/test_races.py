"""Sixteen threads at once: one action, one exclusion, one repeat, no try too many."""

import pytest

from annotation.models import (
    AuditEntry,
    Exclusion,
    QualityAction,
    Sheet,
)
from annotation.quality.rules import action_lift, action_take, look
from tests.annotation.acts import add_rule, control, plan, work
from tests.annotation.together import THREADS, together
from tests.factories import make_annotator, make_campaign

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_action_one_repeat_one_exclusion():
    campaign = make_campaign(items=3, systems=1, k=1, cast=False)
    for text in ("system 0 paraphrase 0", "system 0 paraphrase 1", "shared paraphrase 2"):
        control(campaign, text, 5, 5)
    bob = make_annotator(campaign)
    [sheet] = work(bob, lambda text, scale: 1, sheets=1)
    plan(campaign, repeat_share=1, delay_most=2)
    add_rule(campaign, "control", "exclude")
    assert together([lambda: look(annotator=bob, sheet=sheet)] * THREADS) == [None] * THREADS
    action = QualityAction.objects.select_related("rule", "annotator__campaign").get()
    assert Sheet.objects.filter(for_annotator=bob).count() == 1
    taken = together([lambda: action_take(action=action, actor=None)] * THREADS)
    assert taken.count(True) == 1 and taken.count(False) == THREADS - 1
    assert Exclusion.objects.count() == 1
    action.refresh_from_db()
    together([lambda: action_lift(action=action, actor=None)] * THREADS)
    assert AuditEntry.objects.filter(verb="quality: lift exclude").count() == 1
    assert not Exclusion.objects.filter(ends_at=None).exists()

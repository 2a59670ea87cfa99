"""What follows from failed checks: decided after a sheet, taken later, lifted by people.

Nothing is deleted. Every decision, action and lifting has its row, and its entry in the log.
"""

from __future__ import annotations

import logging
from datetime import datetime
from random import Random
from secrets import SystemRandom
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import override

from annotation.models import (
    Annotator,
    QualityAction,
    QualityPlan,
    QualityRule,
    Sheet,
    SheetEntry,
)
from annotation.selectors.quality import Watch, checks_of, evidence, outcome, rules_watching
from annotation.services.audit import Actor, audit
from annotation.services.claiming import done_sheets
from annotation.services.errors import Invalid
from annotation.services.exclusions import exclusion_add, exclusion_lift
from annotation.services.quality import plan_of
from annotation.services.repeats import repeat_add
from annotation.services.transactions import short_write

log = logging.getLogger(__name__)
Act = QualityRule.Act
_random = SystemRandom()


def sheet_finished(*, annotator: Annotator, sheet: Sheet) -> None:
    """Look at the annotator after a sheet was submitted, outside the transaction of that.

    The sheet is done whatever happens here: what fails is logged, and looked at again after the
    next sheet.
    """
    try:
        look(annotator=annotator, sheet=sheet)
    except Exception:
        log.exception("the quality checks after sheet %s failed", sheet.pk)


def look(*, annotator: Annotator, sheet: Sheet, now: datetime | None = None) -> None:
    """Take what is due, decide what the rules say now, and perhaps plan a hidden repeat."""
    now = now or timezone.now()
    plan = plan_of(annotator.campaign)
    watching = rules_watching(annotator=annotator)
    if any(one.waiting for one in watching):
        _take_due(annotator, now)
    deciding = [one for one in watching if one.decides]
    checks = checks_of(sheet=sheet) if deciding else set()
    for one in deciding:
        if one.rule.check_name in checks:
            _decide(annotator, one, plan, now)
    if plan.repeat_share > 0 and sheet.occasion == 1:
        _perhaps_repeat(annotator, sheet, plan)


def _take_due(annotator: Annotator, now: datetime) -> None:
    done = done_sheets(annotator).count()
    waiting = QualityAction.objects.filter(annotator=annotator, taken_at=None, lifted_at=None)
    for action in waiting.filter(due_at_done__lte=done).select_related("rule"):
        action.annotator = annotator
        action_take(action=action, actor=None, now=now)


def _decide(annotator: Annotator, watch: Watch, plan: QualityPlan, now: datetime) -> None:
    rule = watch.rule
    result = outcome(annotator=annotator, check=rule.check_name, plan=plan, since=watch.since)
    if result.n < rule.least or result.share is None or result.share < rule.share:
        return
    figures = evidence(result)
    delay = _random.randint(plan.delay_least, plan.delay_most)
    with short_write():
        action, new = QualityAction.objects.get_or_create(
            annotator=annotator,
            rule=rule,
            lifted_at=None,
            defaults={
                "campaign_id": annotator.campaign_id,
                "evidence": figures,
                "decided_at": now,
                "due_at_done": done_sheets(annotator).count() + delay,
            },
        )
        if new:
            _audit(action, None, f"decide to {rule.act}", due_at_done=action.due_at_done, **figures)


def action_take(*, action: QualityAction, actor: Actor, now: datetime | None = None) -> bool:
    """Take it now; False where it was taken or lifted before."""
    now = now or timezone.now()
    with short_write():
        changed = QualityAction.objects.filter(pk=action.pk, taken_at=None, lifted_at=None).update(
            taken_at=now, taken_by_id=actor.pk if actor else None
        )
        if not changed:
            return False
        action.refresh_from_db()
        if action.rule.act == Act.EXCLUDE:
            _exclude(action, actor)
        _audit(action, actor, action.rule.act)
    return True


def _exclude(action: QualityAction, actor: Actor) -> None:
    with override(settings.LANGUAGE_CODE):  # not the annotator's: researchers read it
        reason = f"Quality control: {action.rule.get_check_name_display()}"
    try:
        with short_write():
            exclusion = exclusion_add(target=action.annotator, reason=reason, actor=actor)
    except Invalid:
        return  # A researcher did it before.
    action.exclusion = exclusion
    action.save(update_fields=["exclusion"])


def action_lift(*, action: QualityAction, actor: Actor) -> QualityAction:
    """End it, or drop it before it is taken.

    Its rule looks only at what the annotator does from now on. An exclusion that it made is lifted
    with it. Lifting twice is a no-op.
    """
    with short_write():
        changed = QualityAction.objects.filter(pk=action.pk, lifted_at=None).update(
            lifted_at=timezone.now(), lifted_by_id=actor.pk if actor else None
        )
        action.refresh_from_db()
        if not changed:
            return action
        if action.exclusion is not None:
            exclusion_lift(exclusion=action.exclusion, actor=actor)
        _audit(action, actor, f"lift {action.rule.act}")
    return action


def warning_read(*, annotator: Annotator) -> int:
    """The annotator has read what was said to them; how many warnings that were."""
    with short_write():
        return QualityAction.objects.filter(
            annotator=annotator, rule__act=Act.WARN, taken_at__isnull=False, read_at=None
        ).update(read_at=timezone.now())


def _audit(action: QualityAction, actor: Actor, verb: str, **data: Any) -> None:
    audit(
        actor=actor, verb=f"quality: {verb}", about=action, campaign=action.campaign,
        annotator=action.annotator.code, check=action.rule.check_name, **data,
    )  # fmt: skip


def _perhaps_repeat(annotator: Annotator, sheet: Sheet, plan: QualityPlan) -> None:
    """By the annotator's seed and the sheet, so that looking twice plans no second repeat."""
    chance = Random(f"repeat:{annotator.seed}:{sheet.key}")  # noqa: S311 repeatable by intent
    if chance.random() >= plan.repeat_share:
        return
    after = chance.randint(plan.repeat_after, 2 * plan.repeat_after)
    with short_write():
        Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)
        texts = sheet.entries.values("substitution")
        planned = SheetEntry.objects.filter(for_annotator=annotator, substitution__in=texts)
        if not planned.exists():
            repeat_add(annotator=annotator, sheet=sheet, actor=None, after_sheets=after)

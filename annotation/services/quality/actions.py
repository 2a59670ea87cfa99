"""Actions after failed checks: decided after a sheet, taken later, lifted by researchers.

Nothing is deleted. Every decision, action and lifting is stored and written to the audit log.
"""

from __future__ import annotations

import logging
from datetime import datetime
from secrets import SystemRandom
from typing import Any

from django.conf import settings
from django.utils.translation import override

from annotation.errors import Invalid
from annotation.models import (
    Annotator,
    QualityAction,
    QualityPlan,
    QualityRule,
    Sheet,
    SheetEntry,
)
from annotation.selectors.campaigns.progress import repeat_drawn
from annotation.selectors.quality.overview import (
    Watch,
    checks_of,
    evidence,
    outcome,
    plan_of,
    rules_watching,
)
from annotation.services.audit import Actor, audit
from annotation.services.collecting.claiming import done_sheets
from annotation.services.collecting.repeats import repeat_add
from annotation.services.people.exclusions import exclusion_add, exclusion_lift
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.plain.sentence import say

log = logging.getLogger(__name__)
Act = QualityRule.Act
_random = SystemRandom()


def sheet_finished(*, annotator: Annotator, sheet: Sheet) -> None:
    """Evaluate the annotator after a submission, outside its transaction.

    Errors do not affect the submission: they are logged, and the checks run again after the next
    sheet.
    """
    try:
        look(annotator=annotator, sheet=sheet)
    except Exception:
        log.exception("the quality checks after sheet %s failed", sheet.pk)


def look(*, annotator: Annotator, sheet: Sheet, now: datetime | None = None) -> None:
    """Take actions that are due, apply the rules to the current results, and perhaps schedule a
    hidden repeat.
    """
    now = now or clock.now()
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
    """Take the action now; False if it was already taken or lifted."""
    now = now or clock.now()
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
    with override(settings.LANGUAGE_CODE):  # not in the annotator's language: researchers read it
        check = say(action.rule.get_check_name_display())
    reason = say("Quality control: %(check)s", check=check)
    try:
        with short_write():
            exclusion = exclusion_add(target=action.annotator, reason=reason, actor=actor)
    except Invalid:
        return  # A researcher has already excluded the annotator.
    action.exclusion = exclusion
    action.save(update_fields=["exclusion"])


def action_lift(*, action: QualityAction, actor: Actor) -> QualityAction:
    """Lift the action, or drop it before it is taken; idempotent.

    From then on its rule evaluates only new work. An exclusion made by the action is lifted too.
    """
    with short_write():
        changed = QualityAction.objects.filter(pk=action.pk, lifted_at=None).update(
            lifted_at=clock.now(), lifted_by_id=actor.pk if actor else None
        )
        action.refresh_from_db()
        if not changed:
            return action
        if action.exclusion is not None:
            exclusion_lift(exclusion=action.exclusion, actor=actor)
        _audit(action, actor, f"lift {action.rule.act}")
    return action


def warning_read(*, annotator: Annotator) -> int:
    """Mark the annotator's warnings as read; return how many there were."""
    with short_write():
        return QualityAction.objects.filter(
            annotator=annotator, rule__act=Act.WARN, taken_at__isnull=False, read_at=None
        ).update(read_at=clock.now())


def _audit(action: QualityAction, actor: Actor, verb: str, **data: Any) -> None:
    audit(
        actor=actor, verb=f"quality: {verb}", about=action, campaign=action.campaign,
        annotator=action.annotator.code, check=action.rule.check_name, **data,
    )  # fmt: skip


def _perhaps_repeat(annotator: Annotator, sheet: Sheet, plan: QualityPlan) -> None:
    """Schedule a repeat at random, seeded by annotator and sheet so that a second run schedules
    none.
    """
    chance = repeat_drawn(annotator, sheet.key)
    if chance.random() >= plan.repeat_share:
        return
    after = chance.randint(plan.repeat_after, 2 * plan.repeat_after)
    with short_write():
        Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)
        texts = sheet.entries.values("substitution")
        planned = SheetEntry.objects.filter(for_annotator=annotator, substitution__in=texts)
        if not planned.exists():
            repeat_add(annotator=annotator, sheet=sheet, actor=None, after_sheets=after)

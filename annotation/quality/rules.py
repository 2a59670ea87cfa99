"""Hidden quality control: a campaign's plan, its rules and the expected bands."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from random import Random
from secrets import SystemRandom
from typing import Any

from django.conf import settings
from django.db import IntegrityError
from django.utils.translation import gettext as _
from django.utils.translation import override

from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Conflict, Invalid
from annotation.models import (
    Annotator,
    Campaign,
    Item,
    QualityAction,
    QualityPlan,
    QualityRule,
    Sheet,
    SheetEntry,
    Substitution,
)
from annotation.models.fields import text_digest
from annotation.people.exclusions import exclusion_add, exclusion_lift
from annotation.quality.checks import repeat_add
from annotation.quality.overview import Watch, checks_of, evidence, outcome, plan_of, rules_watching
from annotation.sheets.own_work import done_sheets
from annotation.sheets.progress import repeat_drawn
from annotation.sheets.slots import sheets_follow
from paraanno import clock
from paraanno.common.texts import say

BOUNDS = {
    "repeat_share": (0, 1),
    "repeat_after": (1, 1000),
    "fast_seconds": (0, 3600),
    "delay_least": (1, 100),
    "delay_most": (1, 100),
}


def plan_check(changes: Mapping[str, Any]) -> None:
    """Raise Invalid if a value of the plan is out of bounds."""
    for name, (least, most) in BOUNDS.items():
        if name in changes and not least <= changes[name] <= most:
            raise Invalid(
                _("%(name)s must be between %(least)s and %(most)s.")
                % {"name": name, "least": f"{least:,}", "most": f"{most:,}"}
            )


def plan_set(*, campaign: Campaign, actor: Actor, changes: Mapping[str, Any]) -> QualityPlan:
    """Change the quality plan. Raises Invalid if a value is out of bounds."""
    plan_check(changes)
    unknown = set(changes) - set(BOUNDS)
    if unknown:
        raise Invalid(_("%(unknown)s cannot be set.") % {"unknown": ", ".join(sorted(unknown))})
    with short_write():
        lock_row(Campaign, campaign.pk)
        plan = plan_of(campaign)
        before = {name: getattr(plan, name) for name in changes}
        for name, value in changes.items():
            setattr(plan, name, value)
        if plan.delay_least > plan.delay_most:
            raise Invalid(_("The minimum delay must not exceed the maximum."))
        plan.save()
        audit(
            actor=actor,
            verb="set quality plan",
            about=campaign,
            campaign=campaign,
            before=before,
            after=dict(changes),
        )
    return plan


def rule_check(*, check: str, least: int, share: float, act: str) -> None:
    """Raise Invalid if a rule cannot be so."""
    if check not in QualityRule.Check.values or act not in QualityRule.Act.values:
        raise Invalid(_("There is no such check or action."))
    if not 1 <= least <= 100_000:
        raise Invalid(_("The minimum number of checks must be 1 or more."))
    if not 0 < share <= 1:
        raise Invalid(_("The failed share must be above 0 and at most 1."))


def rule_add(
    *, campaign: Campaign, check: str, least: int, share: float, act: str, actor: Actor
) -> QualityRule:
    """Add a rule. Raises Invalid if the check already leads to this action."""
    rule_check(check=check, least=least, share=share, act=act)
    try:
        with short_write():
            rule = QualityRule.objects.create(
                campaign=campaign, check_name=check, least=least, share=share, act=act
            )
            audit(
                actor=actor,
                verb="add quality rule",
                about=rule,
                campaign=campaign,
                check=check,
                least=least,
                share=share,
                act=act,
            )
    except IntegrityError as error:
        raise Invalid(_("This check leads to that action already: end the other rule.")) from error
    return rule


def rule_end(*, rule: QualityRule, actor: Actor) -> QualityRule:
    """End the rule: it decides nothing more; its actions stand until they are lifted."""
    with short_write():
        changed = QualityRule.objects.filter(pk=rule.pk, ended_at=None).update(ended_at=clock.now())
        if changed:
            audit(actor=actor, verb="end quality rule", about=rule, campaign=rule.campaign)
    rule.refresh_from_db()
    return rule


# Actions after failed checks: decided after a sheet, taken later, lifted by researchers.
#
# Nothing is deleted. Every decision, action and lifting is stored and written to the audit log.


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
        actor=actor,
        verb=f"quality: {verb}",
        about=action,
        campaign=action.campaign,
        annotator=action.annotator.code,
        check=action.rule.check_name,
        **data,
    )


def _perhaps_repeat(annotator: Annotator, sheet: Sheet, plan: QualityPlan) -> None:
    """Schedule a repeat at random, seeded by annotator and sheet so that a second run schedules
    none.
    """
    chance = repeat_drawn(annotator, sheet.key)
    if chance.random() >= plan.repeat_share:
        return
    after = chance.randint(plan.repeat_after, 2 * plan.repeat_after)
    with short_write():
        lock_row(Annotator, annotator.pk)
        texts = sheet.entries.values("substitution")
        planned = SheetEntry.objects.filter(for_annotator=annotator, substitution__in=texts)
        if not planned.exists():
            repeat_add(annotator=annotator, sheet=sheet, actor=None, after_sheets=after)


# Degrade a text by dropping or shuffling words. Pure and deterministic for a seed.


DROP_SHARE = 1 / 3
TRIES = 60

Change = Callable[[list[str], Random], list[str]]


def drop_words(words: list[str], chance: Random) -> list[str]:
    """Drop about a third of the words: at least one, and never all."""
    gone = set(chance.sample(range(len(words)), max(1, round(len(words) * DROP_SHARE))))
    return [word for place, word in enumerate(words) if place not in gone]


def shuffle_words(words: list[str], chance: Random) -> list[str]:
    """Return the same words in another order."""
    mixed = list(words)
    chance.shuffle(mixed)
    return mixed


METHODS: dict[str, Change] = {"drop": drop_words, "shuffle": shuffle_words}


def degrade(text: str, *, method: str, seed: str, avoid: Collection[str]) -> str | None:
    """Return a degraded text; None if the method cannot make one (of a single word, for instance).

    The result differs from the original and from every text in `avoid`, ignoring case and white
    space: a copy that looks like another text of the item would be no control.
    """
    words = text.split()
    if len(words) < 2:
        return None
    taken = {_plain(one) for one in avoid} | {_plain(text)}
    chance = Random(f"{method}:{seed}")  # noqa: S311 repeatable by intent
    for _try in range(TRIES):
        worse = " ".join(METHODS[method](words, chance))
        if _plain(worse) not in taken:
            return worse
    return None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


# Create copies of texts: degraded ones that should score lower, exact ones that should score
# highest.


MOST = 10_000
ROWS_PER_WRITE = 500
OUTPUT, DEGRADED, COPY = (
    Substitution.Role.OUTPUT,
    Substitution.Role.DEGRADED,
    Substitution.Role.COPY,
)


def degraded_make(
    *, campaign: Campaign, items: int, method: str, seed: int, actor: Actor
) -> list[Substitution]:
    """Create a degraded copy of one output in each of up to `items` items, sampled with `seed`.

    Skips items whose outputs cannot be degraded (single words) or that already have a degraded
    copy. Before the campaign is opened, a copy is placed on the sheet of its original; afterwards
    it gets a sheet of its own.
    """
    if method not in METHODS:
        raise Invalid(_("Choose words dropped or words shuffled."))
    copies: list[Substitution] = []
    for item, texts in _items_in_chance_order(campaign, DEGRADED, items, seed):
        if len(copies) == items:
            break
        copy = _worse(item, texts, method, seed)
        if copy is not None:
            copies.append(copy)
    return _store(campaign, copies, actor, kind="degraded", method=method, seed=seed)


def copies_make(*, campaign: Campaign, items: int, seed: int, actor: Actor) -> list[Substitution]:
    """Add the phrase as its own paraphrase to up to `items` items, sampled with `seed`.

    Skips items where a text already equals the phrase.
    """
    copies: list[Substitution] = []
    for item, texts in _items_in_chance_order(campaign, COPY, items, seed):
        if len(copies) == items:
            break
        if all(one.text != item.phrase.text for one in texts):
            copies.append(_new(item, COPY, item.phrase.text))
    return _store(campaign, copies, actor, kind="copies", seed=seed)


def _items_in_chance_order(
    campaign: Campaign, role: str, wanted: int, seed: int
) -> Iterable[tuple[Item, list[Substitution]]]:
    """Yield items with outputs and without a text of `role`, in random order, each with all its
    texts; two queries.
    """
    if not 1 <= wanted <= MOST:
        raise Invalid(_("Give the number of items: 1 to %(most)s.") % {"most": f"{MOST:,}"})
    texts: dict[int, list[Substitution]] = defaultdict(list)
    for one in Substitution.objects.filter(campaign=campaign).order_by("pk"):
        texts[one.item_id].append(one)
    roles = {pk: {one.role for one in have} for pk, have in texts.items()}
    every = Item.objects.filter(campaign=campaign).select_related("phrase").order_by("position")
    items = [
        item for item in every if OUTPUT in roles.get(item.pk, ()) and role not in roles[item.pk]
    ]
    Random(f"items:{seed}").shuffle(items)  # noqa: S311 repeatable by intent
    return ((item, texts[item.pk]) for item in items)


def _worse(item: Item, texts: list[Substitution], method: str, seed: int) -> Substitution | None:
    """Return a degraded copy of the first output, in random order, that can be degraded; None if
    none can.
    """
    outputs = sorted((one for one in texts if one.role == OUTPUT), key=lambda one: one.text_hash)
    Random(f"outputs:{seed}:{item.identity_hash}").shuffle(outputs)  # noqa: S311 repeatable by intent
    avoid = [item.phrase.text, *(one.text for one in texts)]
    for one in outputs:
        text = degrade(one.text, method=method, seed=f"{seed}:{item.identity_hash}", avoid=avoid)
        if text is not None:
            return _new(item, DEGRADED, text, one)
    return None


def _new(item: Item, role: str, text: str, original: Substitution | None = None) -> Substitution:
    """Return an unsaved text; a copy has the sentence of its original."""
    own = original if original is not None and original.own_sentence is not None else None
    return Substitution(
        campaign_id=item.campaign_id,
        item=item,
        role=role,
        text=text,
        text_hash=text_digest(text),
        made_from=original,
        own_sentence=own.own_sentence if own else None,
        own_start=own.own_start if own else None,
        own_end=own.own_end if own else None,
        context_hash=own.context_hash if own else "",
    )


def _store(
    campaign: Campaign, made: list[Substitution], actor: Actor, *, kind: str, **about: object
) -> list[Substitution]:
    try:
        for start in range(0, len(made), ROWS_PER_WRITE):
            with short_write():
                Substitution.objects.bulk_create(made[start : start + ROWS_PER_WRITE])
    except IntegrityError as error:
        raise Conflict(_("Somebody else is making copies at the moment.")) from error
    with short_write():
        audit(
            actor=actor,
            verb=f"make {kind}",
            about=campaign,
            campaign=campaign,
            made=len(made),
            **about,
        )
    if made:
        sheets_follow(campaign=campaign)
    return made

"""How good an annotator's work looks, for researchers; and what the annotator has to be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    Item,
    Judgment,
    QualityAction,
    QualityPlan,
    QualityRule,
    Sheet,
    Skip,
    Slot,
    Substitution,
)
from annotation.selectors import quick
from annotation.selectors.consent import PEOPLE
from annotation.selectors.own_work import OwnWork, own_work
from annotation.selectors.quality_checks import KNOWN, Case, Result, Scope
from annotation.selectors.quality_pace import straight, too_fast
from annotation.selectors.remarks import remarks_of

SHOWN = 20
Check, Act = QualityRule.Check, QualityRule.Act


def outcome(
    *, annotator: Annotator, check: str, plan: QualityPlan, since: datetime | None = None
) -> Result:
    """One check of one annotator; at most four queries."""
    if check == Check.FAST:
        return too_fast(annotator=annotator, least=plan.fast_seconds, since=since)
    if check == Check.STRAIGHT:
        return straight(annotator=annotator, since=since)
    found = KNOWN[check](Scope(annotator.campaign, annotator, since))
    return found.get(annotator.pk, Result())


def evidence(result: Result) -> dict[str, Any]:
    """What an action remembers of the figures that led to it."""
    newest = result.cases[-SHOWN:]
    return {
        "n": result.n,
        "failed": result.failed,
        **result.figures,
        "items": sorted({case.item_id for case in newest}),
    }


def checks_of(*, sheet: Sheet) -> set[str]:
    """The checks whose outcome a finished sheet may have changed; one query."""
    found = {Check.FAST.value, Check.STRAIGHT.value}
    if sheet.occasion > 1:
        found.add(Check.REPEAT)
    roles = sheet.entries.values_list("substitution__role", "substitution__copies__role")
    for role in {role for pair in roles for role in pair}:
        if role in KNOWN:  # Texts of the role control, degraded and copy: checks have their names.
            found.add(role)
    return found


@dataclass(frozen=True, slots=True)
class Watch:
    """A rule and one annotator: whether it may decide, from when on work counts, what waits."""

    rule: QualityRule
    decides: bool
    since: datetime | None
    waiting: int


def rules_watching(*, annotator: Annotator) -> list[Watch]:
    """Every rule of the campaign, ended ones too, whose decisions still come; one query.

    A rule decides nothing more while an action of it stands. What was judged before a lifted
    action is settled.
    """
    about = Q(actions__annotator=annotator)
    standing = about & Q(actions__lifted_at=None)
    rows = QualityRule.objects.filter(campaign=annotator.campaign_id).annotate(
        standing=Count("actions", filter=standing),
        waiting=Count("actions", filter=standing & Q(actions__taken_at=None)),
        since=Max("actions__lifted_at", filter=about),
    )
    return [
        Watch(rule, rule.ended_at is None and not rule.standing, rule.since, rule.waiting)
        for rule in rows
    ]


def paused(*, annotator: Annotator) -> bool:
    """Whether claims are refused until a researcher lifts it."""
    return annotator.origin in PEOPLE and quick.waiting(annotator).paused


def warnings_unread(*, annotator: Annotator) -> set[str]:
    """The checks behind the warnings that the annotator has not read."""
    unread = QualityAction.objects.filter(
        annotator=annotator, rule__act=Act.WARN, taken_at__isnull=False, lifted_at=None,
        read_at=None,
    )  # fmt: skip
    return set(unread.values_list("rule__check_name", flat=True))


@dataclass(frozen=True, slots=True)
class CaseView:
    """A failed check with the texts it is about."""

    item: Item
    text: str
    got: str
    wanted: str


@dataclass(frozen=True, slots=True)
class CheckView:
    """One check of a record; `cases` are the newest."""

    check: str
    label: str
    result: Result
    cases: tuple[CaseView, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """What researchers see of one annotator."""

    sheets_done: int
    values: int
    cannot: int
    comments: int
    flags: int
    remarks: int
    skips: int
    work: OwnWork
    checks: tuple[CheckView, ...]
    actions: tuple[QualityAction, ...]
    excluded: Exclusion | None


def record(*, annotator: Annotator, plan: QualityPlan) -> Record:
    """Every check, the figures and the actions; a constant number of queries."""
    results = {
        check: outcome(annotator=annotator, check=check, plan=plan) for check in Check.values
    }
    ratings = Judgment.objects.filter(annotator=annotator, kind=Judgment.Kind.RATING)
    counts = ratings.aggregate(
        values=Count("pk", filter=Q(value__isnull=False)),
        cannot=Count("pk", filter=~Q(reason="")),
        comments=Count("pk", filter=~Q(comment="")),
    )
    said = remarks_of(campaign=annotator.campaign).filter(annotator=annotator).order_by()
    counts |= said.aggregate(
        flags=Count("pk", filter=Q(flagged=True)), remarks=Count("pk", filter=~Q(text=""))
    )
    actions = QualityAction.objects.filter(annotator=annotator).select_related(
        "rule", "taken_by", "lifted_by"
    )
    return Record(
        sheets_done=Slot.objects.filter(annotator=annotator, state=Slot.State.DONE).count(),
        skips=Skip.objects.filter(annotator=annotator).count(),
        work=own_work(annotator=annotator),
        checks=_views(results),
        actions=tuple(actions),
        excluded=Exclusion.objects.filter(annotator=annotator, ends_at=None).first(),
        **counts,
    )


def _views(results: dict[str, Result]) -> tuple[CheckView, ...]:
    shown = {check: result.cases[::-1][:SHOWN] for check, result in results.items()}
    cases = [case for some in shown.values() for case in some]
    items = Item.objects.select_related("phrase").in_bulk([case.item_id for case in cases])
    texts = Substitution.objects.in_bulk(
        [case.substitution_id for case in cases if case.substitution_id is not None]
    )
    return tuple(
        CheckView(check, str(Check(check).label), result, _cases(shown[check], items, texts))
        for check, result in results.items()
    )


def _cases(
    cases: Sequence[Case], items: dict[int, Item], texts: dict[int, Substitution]
) -> tuple[CaseView, ...]:
    return tuple(
        CaseView(
            items[case.item_id],
            texts[case.substitution_id].text if case.substitution_id is not None else "",
            case.got,
            case.wanted,
        )
        for case in cases
    )


@dataclass(frozen=True, slots=True)
class Line:
    """One annotator in the overview: results in the order of KNOWN, and what stands."""

    annotator: Annotator
    results: tuple[Result, ...]
    actions: tuple[QualityAction, ...]


def overview(*, campaign: Campaign) -> list[Line]:
    """Every annotator who has judged something that can be checked, or about whom a rule decided.

    A constant number of queries, whatever theirs.
    """
    found = [check(Scope(campaign)) for check in KNOWN.values()]
    actions: dict[int, list[QualityAction]] = {}
    standing = QualityAction.objects.filter(campaign=campaign, lifted_at=None)
    for action in standing.select_related("rule"):
        actions.setdefault(action.annotator_id, []).append(action)
    known = {pk for results in found for pk in results} | actions.keys()
    return [
        Line(
            annotator,
            tuple(results.get(annotator.pk, Result()) for results in found),
            tuple(actions.get(annotator.pk, ())),
        )
        for annotator in Annotator.objects.filter(campaign=campaign).order_by("code")
        if annotator.pk in known
    ]


def texts_of_role(*, campaign: Campaign, role: str) -> QuerySet[Substitution]:
    """The campaign's texts of one role with their items and expected bands, newest first."""
    return (
        Substitution.objects.filter(campaign=campaign, role=role)
        .select_related("item__phrase", "made_from", "practice_text")
        .prefetch_related("expected__scale")
        .order_by("-pk")
    )

"""Quality of annotators' work, for researchers; and notices to the annotators."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef, Prefetch, Q, QuerySet, Value
from django.utils.translation import gettext as _

from annotation.access import get_in
from annotation.errors import NotFound
from annotation.models import (
    Annotator,
    BoardFigures,
    Campaign,
    Exclusion,
    Expected,
    Item,
    Judgment,
    PracticeAnswer,
    PracticeAttempt,
    PracticeGrant,
    PracticeRule,
    PracticeText,
    QualityAction,
    QualityPlan,
    QualityRule,
    Scale,
    Sheet,
    Skip,
    Slot,
    Substitution,
)
from annotation.models.quality import Part
from annotation.people.annotators import PEOPLE
from annotation.quality.checks import CHECKS, Case, Result, Scope, straight, too_fast
from annotation.sheets import sql
from annotation.sheets.own_work import OwnWork, own_work, remarks_of

SHOWN = 20
Check, Act = QualityRule.Check, QualityRule.Act


def plan_of(campaign: Campaign) -> QualityPlan:
    """Return the campaign's plan; an unsaved one with the defaults if there is none."""
    return QualityPlan.objects.filter(campaign=campaign).first() or QualityPlan(campaign=campaign)


def rules_in_force(*, campaign: Campaign) -> QuerySet[QualityRule]:
    """Return the rules in force."""
    return QualityRule.objects.filter(campaign=campaign, ended_at=None)


def outcome(
    *, annotator: Annotator, check: str, plan: QualityPlan, since: datetime | None = None
) -> Result:
    """Run one check for one annotator; at most four queries."""
    if check == Check.FAST:
        return too_fast(annotator=annotator, least=plan.fast_seconds, since=since)
    if check == Check.STRAIGHT:
        return straight(annotator=annotator, since=since)
    results = CHECKS[check](Scope(annotator.campaign, annotator, since))
    return results.get(annotator.pk, Result())


def evidence(result: Result) -> dict[str, object]:
    """Return the figures of a result that an action stores."""
    newest = result.cases[-SHOWN:]
    return {
        "n": result.n,
        "failed": result.failed,
        **result.figures,
        "items": sorted({case.item_id for case in newest}),
    }


def checks_of(*, sheet: Sheet) -> set[str]:
    """Return the checks whose result a submitted sheet may have changed; one query."""
    checks = {Check.FAST.value, Check.STRAIGHT.value}
    if sheet.occasion > 1:
        checks.add(Check.REPEAT)
    roles = sheet.entries.values_list("substitution__role", "substitution__copies__role")
    for role in {role for pair in roles for role in pair}:
        if (
            role in CHECKS
        ):  # The checks of controls, degraded and exact copies are named after the texts' roles.
            checks.add(role)
    return checks


@dataclass(frozen=True, slots=True)
class Watch:
    """A rule and one annotator: whether it may decide, the start of the work it evaluates, and its
    pending action.
    """

    rule: QualityRule
    decides: bool
    since: datetime | None
    waiting: int


def rules_watching(*, annotator: Annotator) -> list[Watch]:
    """Return a Watch for every rule of the campaign, including ended rules with pending decisions;
    one query.

    A rule decides nothing while one of its actions is in force. Work done before an action was
    lifted is not evaluated again.
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
    """Whether claims are refused until a researcher lifts the pause."""
    return annotator.origin in PEOPLE and sql.waiting(annotator).paused


def paused_codes(*, campaigns: Collection[Campaign]) -> dict[int, list[str]]:
    """The codes of each campaign's annotators whose pause nobody has lifted; one query."""
    paused = QualityAction.objects.filter(
        campaign__in=campaigns, rule__act=Act.PAUSE, taken_at__isnull=False, lifted_at=None
    )
    codes: dict[int, list[str]] = {one.pk: [] for one in campaigns}
    for pk, code in sorted(set(paused.values_list("campaign_id", "annotator__code"))):
        codes[pk].append(code)
    return codes


def warnings_unread(*, annotator: Annotator) -> set[str]:
    """Return the checks behind the annotator's unread warnings."""
    unread = QualityAction.objects.filter(
        annotator=annotator,
        rule__act=Act.WARN,
        taken_at__isnull=False,
        lifted_at=None,
        read_at=None,
    )
    return set(unread.values_list("rule__check_name", flat=True))


@dataclass(frozen=True, slots=True)
class CaseView:
    """A failed check with its texts."""

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
    """What researchers see about one annotator."""

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
    paces: dict[str, float]


def record(*, annotator: Annotator, plan: QualityPlan) -> Record:
    """Return every check, the figures and the actions; a constant number of queries."""
    results = {
        check: outcome(annotator=annotator, check=check, plan=plan) for check in Check.values
    }
    ratings = Judgment.objects.filter(annotator=annotator, kind=Judgment.Kind.RATING)
    counts = ratings.aggregate(
        values=Count(Value(1), filter=Q(value__isnull=False)),
        cannot=Count(Value(1), filter=~Q(reason="")),
        comments=Count(Value(1), filter=~Q(comment="")),
    )
    remarks = remarks_of(campaign=annotator.campaign).filter(annotator=annotator).order_by()
    counts |= remarks.aggregate(
        flags=Count(Value(1), filter=Q(flagged=True)), remarks=Count(Value(1), filter=~Q(text=""))
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
        paces=_paces(annotator),
        **counts,
    )


def _paces(annotator: Annotator) -> dict[str, float]:
    """Seconds per text, of all the work and of the last 24 hours, as the board and its alarms count
    them."""
    figures = BoardFigures.objects.filter(campaign=annotator.campaign_id).first()
    own = (figures.numbers if figures else {}).get("people", {}).get(str(annotator.pk), {})
    return {
        name: own[f"{part}seconds"] / own[f"{part}texts"]
        for name, part in (("all", ""), ("day", "recent_"))
        if own.get(f"{part}texts")
    }


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
class QualityLine:
    """One annotator in the overview: results in the order of CHECKS, and actions in force."""

    annotator: Annotator
    results: tuple[Result, ...]
    actions: tuple[QualityAction, ...]


def overview(*, campaign: Campaign) -> list[QualityLine]:
    """Return every annotator with work that can be checked, or with a rule's decision.

    The number of queries is constant.
    """
    by_check = [check(Scope(campaign)) for check in CHECKS.values()]
    actions: dict[int, list[QualityAction]] = {}
    standing = QualityAction.objects.filter(campaign=campaign, lifted_at=None)
    for action in standing.select_related("rule"):
        actions.setdefault(action.annotator_id, []).append(action)
    annotator_ids = {pk for results in by_check for pk in results} | actions.keys()
    return [
        QualityLine(
            annotator,
            tuple(results.get(annotator.pk, Result()) for results in by_check),
            tuple(actions.get(annotator.pk, ())),
        )
        for annotator in Annotator.objects.filter(campaign=campaign).order_by("code")
        if annotator.pk in annotator_ids
    ]


def texts_of_role(*, campaign: Campaign, role: str) -> QuerySet[Substitution]:
    """Return the campaign's texts of one role with their items and expected bands, newest first."""
    return (
        Substitution.objects.filter(campaign=campaign, role=role)
        .select_related("item__phrase", "made_from", "practice_text")
        .prefetch_related("expected__scale")
        .order_by("-pk")
    )


def watching_text(*, campaign: Campaign, key: UUID) -> Substitution:
    """Return a control or practice text. Raises NotFound for any other."""
    text = get_in(campaign, Substitution, key, "item__phrase", "campaign")
    if text.role not in (Substitution.Role.CONTROL, Substitution.Role.PRACTICE):
        raise NotFound(_("There is no such text."))
    return text


def texts_by_role(*, campaign: Campaign) -> dict[str, int]:
    """Return the number of texts by role; one query."""
    rows = Substitution.objects.filter(campaign=campaign).order_by()
    return dict(rows.values_list("role").annotate(n=Count("*")))


# Practice as its annotator sees it: texts, correct answers after each answer, and the annotator's
# standing.


Kind = PracticeGrant.Kind


def rule_of(campaign: Campaign) -> PracticeRule:
    """Return the campaign's practice rule; an unsaved one that requires nothing if there is
    none.
    """
    return PracticeRule.objects.filter(campaign=campaign).first() or PracticeRule(campaign=campaign)


def tolerances(campaign: Campaign) -> dict[int, float]:
    """Return the tolerance of an answer by scale id; 0 by default."""
    rows = Scale.objects.filter(campaign=campaign)
    return {pk: t or 0.0 for pk, t in rows.values_list("pk", "practice_tolerance__tolerance")}


def practice_texts(*, campaign: Campaign, part: str | None = None) -> QuerySet[PracticeText]:
    """Return the texts with expected values, in order, with those values."""
    expected = Prefetch(
        "substitution__expected",
        Expected.objects.select_related("scale")
        .prefetch_related("scale__points")
        .order_by("scale__position"),
    )
    rows = PracticeText.objects.filter(
        Exists(Expected.objects.filter(substitution=OuterRef("substitution"))), campaign=campaign
    )
    if part is not None:
        rows = rows.filter(part=part)
    return rows.select_related("substitution__item__phrase").prefetch_related(expected)


def practice_listed(*, campaign: Campaign) -> QuerySet[PracticeText]:
    """Return all practice texts for researchers, including those without expected values."""
    rows = PracticeText.objects.filter(campaign=campaign)
    return rows.select_related("substitution__item__phrase").prefetch_related(
        "substitution__expected__scale"
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """An annotator's progress in practice and test. `required` holds the parts that have texts."""

    rule: PracticeRule
    required: frozenset[str]
    attempts: tuple[PracticeAttempt, ...]
    grants: tuple[str, ...]

    def of(self, part: str) -> list[PracticeAttempt]:
        return [one for one in self.attempts if one.part == part]

    def open(self, part: str) -> PracticeAttempt | None:
        """Return the attempt in progress."""
        return next((one for one in self.of(part) if one.finished_at is None), None)

    @property
    def practice_open(self) -> PracticeAttempt | None:
        return self.open(Part.PRACTICE)

    @property
    def test_open(self) -> PracticeAttempt | None:
        return self.open(Part.TEST)

    @property
    def tests_done(self) -> list[PracticeAttempt]:
        return [one for one in self.of(Part.TEST) if one.finished_at is not None]

    @property
    def practised(self) -> bool:
        """Whether practice was completed, or there is none."""
        done = any(one.finished_at for one in self.of(Part.PRACTICE))
        return done or Part.PRACTICE not in self.required

    @property
    def passed(self) -> bool:
        """Whether the test was passed, or there is none and practice is done, or a researcher
        granted a pass.
        """
        if Kind.PASS in self.grants or any(one.passed for one in self.of(Part.TEST)):
            return True
        return Part.TEST not in self.required and self.practised

    @property
    def tries_left(self) -> int:
        """Number of tests that may still be started, without the one in progress."""
        return max(0, self.rule.tries + self.grants.count(Kind.TRY) - len(self.of(Part.TEST)))

    @property
    def may_test(self) -> bool:
        """Whether the test can be started or continued."""
        ready = Part.TEST in self.required and self.practised and not self.passed
        return ready and (self.open(Part.TEST) is not None or self.tries_left > 0)

    @property
    def stuck(self) -> bool:
        """Whether no try is left, so that a researcher has to help."""
        return (
            not self.passed and Part.TEST in self.required and self.practised and not self.may_test
        )

    @property
    def explains_test(self) -> bool:
        """Whether to show the correct answers of the test: only once nothing can be gained by
        them.
        """
        return self.passed or self.stuck


def standing(*, campaign: Campaign, annotator: Annotator | None) -> Standing:
    """Return the standing of an annotator, or of a user who has none yet; four queries."""
    parts = frozenset(practice_texts(campaign=campaign).values_list("part", flat=True))
    if annotator is None:
        return Standing(rule_of(campaign), parts, (), ())
    grants = PracticeGrant.objects.filter(annotator=annotator)
    return Standing(
        rule=rule_of(campaign),
        required=parts,
        attempts=tuple(PracticeAttempt.objects.filter(annotator=annotator)),
        grants=tuple(grants.values_list("kind", flat=True)),
    )


def practice_wanted(*, annotator: Annotator) -> bool:
    """Whether practice blocks the annotator's next sheet; one query if the campaign requires
    none.
    """
    required = PracticeRule.objects.filter(campaign=annotator.campaign_id, required=True)
    if annotator.origin not in PEOPLE or not required.exists():
        return False
    return not standing(campaign=annotator.campaign, annotator=annotator).passed


def attempt_get(*, annotator: Annotator, key: UUID) -> PracticeAttempt:
    """Return one of the annotator's own attempts. Raises NotFound for any other."""
    attempt = PracticeAttempt.objects.filter(annotator=annotator, key=key).first()
    if attempt is None:
        raise NotFound(_("There is no such practice."))
    return attempt


@dataclass(frozen=True, slots=True)
class PracticeQuestion:
    """One scale of a practice text, its correct answer, and the answer given."""

    scale: Scale
    expected: Expected
    answer: PracticeAnswer | None


@dataclass(frozen=True, slots=True)
class PracticeTextView:
    """A practice text as displayed on the rating screen."""

    place: int
    substitution: Substitution
    before: str
    after: str
    questions: tuple[PracticeQuestion, ...]

    @property
    def answered(self) -> bool:
        return all(question.answer is not None for question in self.questions)


def attempt_texts(*, attempt: PracticeAttempt) -> list[PracticeTextView]:
    """Return the texts of the attempt's part with its answers, in order; four queries."""
    answers = {(one.substitution_id, one.scale_id): one for one in attempt.answers.all()}
    rows = practice_texts(campaign=attempt.campaign, part=attempt.part)
    return [
        PracticeTextView(
            place, row.substitution, *row.substitution.context(), _questions(row, answers)
        )
        for place, row in enumerate(rows, 1)
    ]


def _questions(
    row: PracticeText, answers: dict[tuple[int, int], PracticeAnswer]
) -> tuple[PracticeQuestion, ...]:
    return tuple(
        PracticeQuestion(one.scale, one, answers.get((one.substitution_id, one.scale_id)))
        for one in row.substitution.expected.all()
    )


@dataclass(frozen=True, slots=True)
class PracticeLine:
    """One annotator on the researchers' page."""

    annotator: Annotator
    standing: Standing


def standings(*, campaign: Campaign) -> Iterator[PracticeLine]:
    """Yield every annotator who has started practice or was granted something; a constant number of
    queries.
    """
    rule, parts = (
        rule_of(campaign),
        frozenset(practice_texts(campaign=campaign).values_list("part", flat=True)),
    )
    rows = (
        Annotator.objects.filter(campaign=campaign)
        .annotate(tried=Count("practice_attempts"), helped=Count("practice_grants"))
        .exclude(tried=0, helped=0)
        .prefetch_related("practice_attempts", "practice_grants")
        .order_by("code")
    )
    for one in rows:
        grants = tuple(grant.kind for grant in one.practice_grants.all())
        yield PracticeLine(one, Standing(rule, parts, tuple(one.practice_attempts.all()), grants))

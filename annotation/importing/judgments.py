"""Compare the rows of a judgments file with the campaign and with each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from annotation.database import Actor, short_write
from annotation.importers.columns import Memory, NewMemory
from annotation.importers.judgments import MAX_CODE, JudgmentKeys, JudgmentRow, Repeats
from annotation.importing.report import Displayed, Targets, load_targets, pieces
from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    Judgment,
    Scale,
    Sheet,
    Slot,
    SlotEvent,
)
from annotation.sheets import slots
from annotation.sheets.sql import on_own_list
from paraanno import clock
from paraanno.common.texts import Problem, ProblemLog, Sentence, say, shown

NOT_SAID = "not given"
FEW_TEXTS = 5000
SOME = 400  # people and texts in one query: SQLite allows 999 values
# The codes of people who are unknown begin so, in our exports too.
NOBODY = "anonymous-"


@dataclass(frozen=True, slots=True)
class NewJudgment:
    """A judgment that the campaign does not have yet."""

    row: JudgmentRow
    substitution: int
    scale: int
    reason: str


@dataclass(slots=True)
class JudgmentPlan:
    """What an import adds: judgments, and the codes of annotators who are new."""

    problems: list[Problem] = field(default_factory=list)
    new: list[NewJudgment] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    heard: set[str] = field(default_factory=set)  # everybody in the file
    # Judgments of unknown people that the campaign has already: perhaps they are other people's.
    passed_over: int = 0


@dataclass(frozen=True, slots=True)
class AnnotatorRows:
    """How rows get their annotators.

    With `anonymous` each row without a code gets the annotator `anonymous-1`, `anonymous-2` ... of
    its text and scale, in the order of the file (`anonymous-NAME-1` with a name); a code in the
    file gets the beginning `anonymous-`.
    """

    repeats: Repeats = "error"
    anonymous: bool = False
    name: str | None = None

    @property
    def beginning(self) -> str:
        """What codes of rows without a code begin with."""
        return NOBODY if not self.name else f"{NOBODY}{self.name.removeprefix(NOBODY)}-"


def plan_judgments(
    *, campaign: Campaign, rows: Sequence[JudgmentRow], file: str, options: AnnotatorRows
) -> JudgmentPlan:
    """Return what the rows add to the campaign, and every problem, in the order of the file.

    Two rows that are the same judgment, though they name text or scale in different ways, are an
    error that names both lines, or the next occasion if repeats are numbered.
    """
    planner = JudgmentPlanner(campaign, file, options)
    plan = planner.plan(rows)
    plan.problems += planner.log.problems()
    plan.problems.sort(key=lambda problem: problem.line)
    return plan


class JudgmentPlanner:
    """Plans one file, in parts if it is large: what a part says is compared with those before.

    `log` has the rows that are the same judgment; all other problems are those of their plan.
    """

    def __init__(
        self, campaign: Campaign, file: str, options: AnnotatorRows, memory: NewMemory = dict
    ) -> None:
        self.campaign, self.file, self.options = campaign, file, options
        self.targets = Targets()
        self.displayed = Displayed(campaign)
        self.scales = {scale.name: scale for scale in Scale.objects.filter(campaign=campaign)}
        self.folded = {name.casefold(): scale for name, scale in self.scales.items()}
        people = Annotator.objects.filter(campaign=campaign)
        self.annotators = {
            code: (pk, origin) for code, pk, origin in people.values_list("code", "pk", "origin")
        }
        self.log = ProblemLog(file)
        self.keys = JudgmentKeys(self.log, options.repeats, resolved=True, memory=memory)
        self.heard: Memory[int] = memory()

    def plan(self, rows: Sequence[JudgmentRow]) -> JudgmentPlan:
        """Plan the rows that follow those before."""
        plan = JudgmentPlan()
        targets = [row.target for row in rows]
        self.targets = load_targets(
            campaign=self.campaign, targets=targets, displayed=self.displayed
        )
        judgments = [judgment for row in rows if (judgment := self._resolved(plan, row))]
        self._compare(plan, judgments)
        return plan

    def _resolved(self, plan: JudgmentPlan, row: JudgmentRow) -> NewJudgment | None:
        """Return the row with its text, scale, annotator and occasion; None (and a problem) if it
        has none.
        """
        scale = self.scales.get(row.scale) or self.folded.get(row.scale.casefold())
        problem = _scale_problem(row, scale, list(self.scales))
        substitution = self.targets.find(row.target)
        if isinstance(substitution, Sentence):
            problem = problem or substitution
        if problem is not None or scale is None or isinstance(substitution, Sentence):
            if problem is not None:
                plan.problems.append(Problem(self.file, row.line, None, problem))
            return None
        code = self._voice(row, (substitution, scale.pk, row.occasion, row.kind))
        if isinstance(code, Sentence):
            plan.problems.append(Problem(self.file, row.line, "annotator", code))
            return None
        requested = row.requested_occasion if self.options.repeats == "number" else row.occasion
        key = (code, substitution, scale.pk, row.kind)
        occasion = self.keys.take(row.line, key, requested)
        if occasion is None:
            return None
        row = replace(row, annotator=code, occasion=occasion)
        return NewJudgment(row, substitution, scale.pk, _reason(row))

    def _voice(self, row: JudgmentRow, key: tuple[Any, ...]) -> str | Sentence:
        """Return the code of the row's annotator, or what is wrong with it."""
        if not self.options.anonymous:
            return row.annotator
        if row.annotator:
            code = NOBODY + row.annotator.removeprefix(NOBODY)
        else:
            number = self.heard.get(key, 0) + 1
            self.heard[key] = number
            code = f"{self.options.beginning}{number}"
        if len(code) > MAX_CODE:
            return say(
                "the code of the anonymous annotator, %(code)s, is longer than %(most)s "
                "characters: shorten it",
                code=shown(code),
                most=MAX_CODE,
            )
        if code in self.annotators and self.annotators[code][1] != Annotator.Origin.ANONYMOUS:
            return say(
                "%(code)s is a known annotator of the campaign: give the anonymous annotators "
                "another name",
                code=shown(code),
            )
        return code

    def _compare(self, plan: JudgmentPlan, judgments: Sequence[NewJudgment]) -> None:
        """Sort out what the campaign has already, with the same answer or with another one."""
        plan.heard = {judgment.row.annotator for judgment in judgments}
        by_code = {code: pk for code, (pk, _) in self.annotators.items() if code in plan.heard}
        stored = _stored(set(by_code.values()), {judgment.substitution for judgment in judgments})
        new_codes: dict[str, None] = {}
        for judgment in judgments:
            row, reason = judgment.row, judgment.reason
            have = stored.get(
                (
                    by_code.get(row.annotator),
                    judgment.substitution,
                    judgment.scale,
                    row.occasion,
                    row.kind,
                )
            )
            if have is None:
                plan.new.append(judgment)
                if row.annotator not in by_code:
                    new_codes[row.annotator] = None
            elif have != (row.value, reason):
                differs = _differs(row, have, reason)
                plan.problems.append(Problem(self.file, row.line, "value", differs))
            elif self.options.anonymous:
                plan.passed_over += 1
        plan.codes = list(new_codes)


def _scale_problem(row: JudgmentRow, scale: Scale | None, names: list[str]) -> Sentence | None:
    if scale is None:
        return say(
            "there is no scale %(scale)s: use one of %(names)s",
            scale=shown(row.scale),
            names=", ".join(names),
        )
    if row.value is not None and not scale.holds(row.value):
        return say(
            "%(value)s is not on the scale %(scale)s: %(least)s to %(most)s in steps of %(step)s",
            value=f"{row.value:g}",
            scale=scale.name,
            least=f"{scale.minimum:g}",
            most=f"{scale.maximum:g}",
            step=f"{scale.step:g}",
        )
    return None


def _reason(row: JudgmentRow) -> str:
    """Return the reason; a missing value without one still means "cannot judge"."""
    if row.value is not None:
        return ""
    if row.reason is None and row.status == Judgment.Status.DRAFT:
        return ""
    return row.reason or NOT_SAID


def _differs(row: JudgmentRow, have: tuple[float | None, str], reason: str) -> Sentence:
    def answer(value: float | None, why: str) -> str:
        return f"{value:g}" if value is not None else say("cannot judge (%(why)s)", why=why)

    return say(
        "%(annotator)s gave %(stored)s in the campaign and %(new)s here: an import never changes a "
        "judgment; give the occasion, or another annotator",
        annotator=shown(row.annotator),
        stored=answer(*have),
        new=answer(row.value, reason),
    )


def _stored(
    annotators: set[int], substitutions: set[int]
) -> dict[tuple[Any, ...], tuple[float | None, str]]:
    """Return the judgments of these people; of few texts, only those about them."""
    answers: dict[tuple[Any, ...], tuple[float | None, str]] = {}
    few = len(substitutions) <= FEW_TEXTS
    for part in pieces(sorted(annotators), SOME):
        of_people = Judgment.objects.filter(annotator__in=part)
        texts = pieces(sorted(substitutions), SOME) if few else [None]
        for some in texts:
            rows = of_people if some is None else of_people.filter(substitution__in=some)
            for row in rows.values_list(
                "annotator_id", "substitution_id", "scale_id", "occasion", "kind", "value", "reason"
            ).iterator(chunk_size=5000):
                answers[row[:5]] = row[5:]
    return answers


# Fill annotator slots from imported judgments.


SHEETS_PER_WRITE = 100


def fill_slots(*, campaign: Campaign, codes: Iterable[str], actor: Actor) -> int:
    """Give each annotator a done slot on every sheet that they answered completely.

    Skips sheets without a free slot and those on which the annotator already has one. Excluded
    annotators get no slots. Returns the number of slots filled.
    """
    out = Exclusion.objects.filter(campaign=campaign, ends_at=None, annotator__isnull=False)
    annotators = Annotator.objects.filter(campaign=campaign, code__in=list(codes))
    required = set(campaign.scales.filter(required=True).values_list("pk", flat=True))
    filled = 0
    for annotator in annotators.exclude(pk__in=out.values("annotator")):
        for part in pieces(_complete(annotator, required), SHEETS_PER_WRITE):
            with short_write():
                filled += sum(_fill(annotator, sheet, actor) for sheet in part)
    return filled


def _complete(annotator: Annotator, required: set[int]) -> list[Sheet]:
    answered: dict[int, set[int]] = {}
    for row in Judgment.objects.filter(
        annotator=annotator,
        occasion=1,
        kind=Judgment.Kind.RATING,
        slot=None,
        status=Judgment.Status.COUNTED,
    ):
        if row.answered and row.scale_id in required:
            answered.setdefault(row.substitution_id, set()).add(row.scale_id)
    done = {substitution for substitution, scales in answered.items() if scales == required}
    sheets = (
        Sheet.objects.filter(campaign_id=annotator.campaign_id, for_annotator=None, shared=False)
        .exclude(slots__annotator=annotator)
        .prefetch_related("entries")
        .order_by("pk")
    )
    own = on_own_list(annotator=annotator, items={sheet.item_id for sheet in sheets})
    return [
        sheet
        for sheet in sheets
        if sheet.item_id in own
        and (entries := {entry.substitution_id for entry in sheet.entries.all()})
        and entries <= done
    ]


def _fill(annotator: Annotator, sheet: Sheet, actor: Actor) -> bool:
    now = clock.now()
    free = slots.locked(Slot.objects.filter(sheet=sheet, state=Slot.State.FREE))
    slot = free.order_by("number").first()
    if slot is None:
        return False
    changed = Slot.objects.filter(pk=slot.pk, state=Slot.State.FREE).update(
        state=Slot.State.DONE, annotator=annotator, claimed_at=now, done_at=now
    )
    if not changed:
        return False
    rows = slots.on_sheet(annotator, sheet).filter(status=Judgment.Status.COUNTED)
    Judgment.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).update(slot=slot)
    slots.note(slot, SlotEvent.Kind.DONE, at=now, annotator_id=annotator.pk, actor=actor)
    return True

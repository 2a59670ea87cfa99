"""Quality checks with a known answer: controls, degraded copies, exact copies, repeats.

Each takes two or three queries, whatever the number of annotators and judgments. Only submitted
judgments are checked, including surplus ones; drafts are not.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db.models import Exists, Max, OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Invalid
from annotation.models import (
    Annotator,
    Campaign,
    Expected,
    Judgment,
    JudgmentVersion,
    Scale,
    Sheet,
    SheetEntry,
    Slot,
    Substitution,
)
from annotation.sheets.own_work import done_sheets
from paraanno.template_filters import minus

FINE = 10  # on scales with more values, a point is a tenth of the range
NEARLY = 1e-9
Role = Substitution.Role


@dataclass(frozen=True, slots=True)
class Case:
    """One failed check: the value given and the value expected."""

    item_id: int
    substitution_id: int | None
    got: str
    wanted: str


@dataclass(slots=True)
class Result:
    """The result of a check for one annotator: number checked, number failed, and the failed
    cases.
    """

    n: int = 0
    failed: int = 0
    cases: list[Case] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)

    @property
    def share(self) -> float | None:
        """The failed share; None if nothing was checked."""
        return self.failed / self.n if self.n else None

    def count(self, case: Case | None) -> None:
        """Count one check; it failed if there is a case."""
        self.n += 1
        if case is not None:
            self.failed += 1
            self.cases.append(case)


Results = dict[int, Result]  # by annotator


@dataclass(frozen=True, slots=True)
class Scope:
    """Which judgments are checked, and from what time on."""

    campaign: Campaign
    annotator: Annotator | None = None
    since: datetime | None = None

    def texts(self, role: str) -> QuerySet[Substitution]:
        """Return the campaign's texts of a role."""
        return Substitution.objects.filter(campaign=self.campaign, role=role).order_by()

    def judgments(self, texts: Any = None) -> QuerySet[Judgment]:
        """Return the submitted ratings with a value, of these texts (rows or keys) or of all.

        The texts, which are few, lead to the judgments: naming the campaign beside them would let
        the database read all of its judgments instead.
        """
        which = {"campaign": self.campaign} if texts is None else {"substitution__in": texts}
        rows = Judgment.objects.filter(
            **which,
            kind=Judgment.Kind.RATING,
            status__in=[Judgment.Status.COUNTED, Judgment.Status.SURPLUS],
            value__isnull=False,
        ).order_by("recorded_at", "pk")
        if self.annotator is not None:
            rows = rows.filter(annotator=self.annotator)
        return rows if self.since is None else rows.filter(recorded_at__gt=self.since)

    def scales(self) -> dict[int, Scale]:
        """Return the campaign's scales by id."""
        return {scale.pk: scale for scale in Scale.objects.filter(campaign=self.campaign)}


def point(scale: Scale) -> float:
    """Return the size of one point: a step, or a tenth of the range of a fine scale."""
    width = scale.maximum - scale.minimum
    return scale.step if width / scale.step < FINE else width / 10


def answered(name: str, value: float) -> str:
    """Format a value on the named scale for display."""
    return f"{name} {minus(f'{value:g}')}"


def ordered(scale: Scale) -> bool:
    return scale.level != Scale.Level.NOMINAL


def goodness(scale: Scale, value: float) -> float:
    """Rescale a value to 0 (worst) to 1 (best)."""
    share = (value - scale.minimum) / (scale.maximum - scale.minimum)
    return share if scale.higher_is_better else 1 - share


def controls(scope: Scope) -> Results:
    """Count values outside the expected band of a control."""
    bands = {
        (one.substitution_id, one.scale_id): one
        for one in Expected.objects.filter(
            substitution__campaign=scope.campaign, substitution__role=Role.CONTROL
        )
    }
    scales, results = scope.scales(), _results()
    rows = scope.judgments(scope.texts(Role.CONTROL))
    for annotator, text, item, scale, value in rows.values_list(
        "annotator_id", "substitution_id", "substitution__item_id", "scale_id", "value"
    ):
        band = bands.get((text, scale))
        if band is not None and value is not None:
            right = band.low - NEARLY <= value <= band.high + NEARLY
            got, wanted = answered(scales[scale].name, value), minus(f"{band.low:g}–{band.high:g}")
            results[annotator].count(None if right else Case(item, text, got, wanted))
    return results


def exact_copies(scope: Scope) -> Results:
    """Count exact copies rated a point or more below the top, on the scales that say so."""
    scales, results = scope.scales(), _results()
    rows = scope.judgments(scope.texts(Role.COPY))
    for annotator, text, item, pk, value in rows.values_list(
        "annotator_id", "substitution_id", "substitution__item_id", "scale_id", "value"
    ):
        scale = scales[pk]
        if value is None or not ordered(scale) or not scale.copy_at_top:
            continue
        top = scale.maximum if scale.higher_is_better else scale.minimum
        right = abs(value - top) < point(scale) - NEARLY
        case = Case(item, text, answered(scale.name, value), minus(f"{top:g}"))
        results[annotator].count(None if right else case)
    return results


def degraded(scope: Scope) -> Results:
    """Count degraded copies that the same annotator rated at or above their original.

    The scales are combined, because shuffled words may keep the meaning and dropped words the
    grammar. A pair whose original is already at the bottom is not counted, because nothing is below
    it.
    """
    scales = {pk: scale for pk, scale in scope.scales().items() if ordered(scale)}
    columns = ("annotator_id", "substitution_id", "occasion", "scale_id", "value")
    made = scope.texts(Role.DEGRADED).filter(made_from__isnull=False)
    originals = scope.judgments(made.values("made_from"))
    before: dict[tuple[int, int, int], dict[int, float]] = defaultdict(dict)
    for annotator, text, occasion, scale, value in originals.values_list(*columns):
        before[annotator, text, occasion][scale] = value
    after: dict[tuple[int, int, int], dict[int, float]] = defaultdict(dict)
    about: dict[int, tuple[int, int]] = {}
    copies = scope.judgments(made)
    for annotator, text, occasion, scale, value, item, original in copies.values_list(
        *columns, "substitution__item_id", "substitution__made_from_id"
    ):
        after[annotator, text, occasion][scale] = value
        about[text] = (item, original)
    results = _results()
    for (annotator, text, occasion), copy in after.items():
        item, original = about[text]
        other = before.get((annotator, original, occasion), {})
        shared = [pk for pk in scales if pk in copy and pk in other]
        was = sum(goodness(scales[pk], other[pk]) for pk in shared)
        now = sum(goodness(scales[pk], copy[pk]) for pk in shared)
        if was < NEARLY:
            continue
        case = Case(
            item, text, _values(scales, shared, copy), "< " + _values(scales, shared, other)
        )
        results[annotator].count(case if now >= was - NEARLY else None)
    return results


def repeats(scope: Scope) -> Results:
    """Count values more than one point from the annotator's first answer.

    `figures["exact"]` is the number of equal values.
    """
    scales, results = scope.scales(), _results()
    columns = ("annotator_id", "substitution_id", "scale_id", "value")
    again = Judgment.objects.filter(campaign=scope.campaign, occasion__gt=1).order_by()
    same = again.filter(annotator=OuterRef("annotator"), substitution=OuterRef("substitution"))
    first = {
        (annotator, text, scale): value
        for annotator, text, scale, value in Scope(scope.campaign, scope.annotator)
        .judgments(again.values("substitution"))
        .filter(Exists(same), occasion=1)
        .values_list(*columns)
        if value is not None
    }
    later = scope.judgments(again.values("substitution")).filter(occasion__gt=1)
    for annotator, text, pk, value, item in later.values_list(*columns, "substitution__item_id"):
        old = first.get((annotator, text, pk))
        if old is None or value is None:
            continue
        scale, apart = scales[pk], abs(value - old)
        far = apart > (point(scale) if ordered(scale) else 0) + NEARLY
        case = Case(item, text, answered(scale.name, value), minus(f"{old:g}"))
        results[annotator].count(case if far else None)
        figures = results[annotator].figures
        figures["exact"] = figures.get("exact", 0) + (apart < NEARLY)
    return results


def _results() -> defaultdict[int, Result]:
    return defaultdict(Result)


def _values(scales: dict[int, Scale], which: Iterable[int], values: dict[int, float]) -> str:
    return ", ".join(answered(scales[pk].name, values[pk]) for pk in which)


CHECKS: dict[str, Callable[[Scope], Results]] = {
    "control": controls,
    "degraded": degraded,
    "copy": exact_copies,
    "repeat": repeats,
}


# Checks without controls: sheets done too fast, and long runs of one value.
#
# They use only an annotator's newest work, so that their cost is bounded.


SHEETS = 200  # newest sheets that are timed
ANSWERS = 1000  # newest answers that are searched for runs
OTHERS = 2000  # newest values of other annotators, as the reference
FEW = 30  # with fewer reference values, all values of the scale count as equally likely
CHANCE = 0.001  # runs more probable than this are ignored

Given = tuple[float, int, int]  # value, substitution, item


def too_fast(*, annotator: Annotator, least: float, since: datetime | None = None) -> Result:
    """Count sheets with fewer than `least` seconds per answer, by the server's clock.

    A sheet's time runs from its claim, or from the previous save on another sheet if that is later,
    to the last first-time answer on it. Entire sheets are timed rather than single answers, because
    a form without JavaScript, or a browser that was offline, sends all answers of a sheet at once.
    Two queries.
    """
    done = Slot.objects.filter(annotator=annotator, state=Slot.State.DONE)
    if since is not None:
        done = done.filter(done_at__gt=since)
    slots = {
        pk: (claimed, item)
        for pk, claimed, item in done.order_by("-done_at").values_list(
            "pk", "claimed_at", "sheet__item_id"
        )[:SHEETS]
    }
    saves: dict[int, list[datetime]] = defaultdict(list)
    versions = JudgmentVersion.objects.filter(
        version=1, request_id__isnull=False, judgment__slot__in=list(slots)
    )
    for slot, at in versions.values_list("judgment__slot_id", "recorded_at"):
        saves[slot].append(at)
    result, before = Result(), None
    for slot in sorted(saves, key=lambda pk: max(saves[pk])):
        claimed, item = slots[slot]
        first, last = min(saves[slot]), max(saves[slot])
        begin = claimed or first
        if before is not None and begin < before <= first:
            begin = before
        before = last
        each = (last - begin).total_seconds() / len(saves[slot])
        case = Case(item, None, f"{each:.1f} s", f"≥ {least:g} s")
        result.count(case if each < least else None)
    return result


def straight(*, annotator: Annotator, since: datetime | None = None) -> Result:
    """Count answers inside runs of one value that are longer than expected by chance.

    The reference is how often the other annotators give each value: a run is counted if a run of
    this length among n independent draws has a probability below CHANCE. Texts of one item can
    rightly be alike, so a long run is a reason to look and no proof. Three queries.
    """
    scope = Scope(annotator.campaign, annotator, since)
    newest = scope.judgments().order_by("-recorded_at", "-pk")
    given: dict[int, list[Given]] = defaultdict(list)
    for scale, value, text, item in list(
        newest.values_list("scale_id", "value", "substitution_id", "substitution__item_id")[
            :ANSWERS
        ]
    )[::-1]:
        given[scale].append((value or 0.0, text, item))
    others = Judgment.objects.filter(campaign=annotator.campaign, value__isnull=False)
    usual: dict[int, Counter[float]] = defaultdict(Counter)
    for scale, value in (
        others.exclude(annotator=annotator).order_by("-pk").values_list("scale_id", "value")
    )[:OTHERS]:
        usual[scale][value or 0.0] += 1
    result = Result(figures={"longest": 0, "chance": 1})
    for pk, one in scope.scales().items():
        levels = one.levels(at_most=FINE)
        if levels or sum(usual[pk].values()) >= FEW:
            seen = levels or {*usual[pk], *(value for value, _, _ in given[pk])}
            _runs(result, one.name, given[pk], likelihoods(seen, usual[pk]))
    return result


def _runs(result: Result, name: str, given: list[Given], likely: list[float]) -> None:
    """Count the answers on one scale, and those inside runs that are too long."""
    result.n += len(given)
    place = 0
    for value, run in groupby(one[0] for one in given):
        length = len(list(run))
        chance = chance_of_run(length, len(given), likely)
        if length > result.figures["longest"]:
            result.figures |= {"longest": length, "chance": chance}
        if chance < CHANCE:
            _, text, item = given[place]
            result.cases.append(Case(item, text, f"{answered(name, value)} x {length}", ""))
            result.failed += length
        place += length


def likelihoods(levels: Iterable[float], seen: Mapping[float, int]) -> list[float]:
    """Return the probability of each value: its frequency among others, or uniform if they gave
    few.
    """
    levels = list(levels)
    has_counts = sum(seen.values()) >= FEW
    weights = [1 + (seen.get(level, 0) if has_counts else 0) for level in levels]
    return [weight / sum(weights) for weight in weights]


def chance_of_run(length: int, n: int, likely: Iterable[float]) -> float:
    """Return the probability of a run of at least `length` equal values among `n` independent
    draws.

    A run starts where another one ends; the number of long runs is approximately Poisson (Feller,
    An Introduction to Probability Theory, vol. 1, XIII.7).
    """
    if length < 2 or length > n:
        return 1.0
    starts = sum(share**length * (1 + (n - length) * (1 - share)) for share in likely)
    return -math.expm1(-starts)


# Hidden repeats: the same sheet again, to measure how consistent an annotator is.


def repeat_add(
    *, annotator: Annotator, sheet: Sheet, actor: Actor, after_sheets: int = 10
) -> Sheet:
    """Schedule a sheet that the annotator has done for a second, hidden judgment.

    It comes after `after_sheets` further sheets, or when nothing else is left, and looks like any
    other sheet. Raises Invalid if the annotator has not done the sheet.
    """
    if not Slot.objects.filter(sheet=sheet, annotator=annotator, state=Slot.State.DONE).exists():
        raise Invalid(_("Only a sheet that the annotator has done can be repeated."))
    with short_write():
        lock_row(Annotator, annotator.pk)
        substitutions = list(sheet.entries.values_list("substitution_id", flat=True))
        last = SheetEntry.objects.filter(
            substitution__in=substitutions, for_annotator=annotator
        ).aggregate(last=Max("occasion"))["last"]
        occasion = (last or 1) + 1
        number = Sheet.objects.filter(
            item_id=sheet.item_id, occasion=occasion, for_annotator=annotator
        ).count()
        repeat = Sheet.objects.create(
            campaign_id=sheet.campaign_id,
            item_id=sheet.item_id,
            number=number + 1,
            occasion=occasion,
            for_annotator=annotator,
            not_before_done=done_sheets(annotator).count() + after_sheets,
            slots_wanted=1,
        )
        SheetEntry.objects.bulk_create(
            SheetEntry(sheet=repeat, substitution_id=pk, occasion=occasion, for_annotator=annotator)
            for pk in substitutions
        )
        audit(
            actor=actor,
            verb="repeat",
            about=repeat,
            campaign=sheet.campaign,
            annotator=annotator.code,
            source=sheet.pk,
        )
    return repeat

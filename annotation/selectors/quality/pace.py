"""Checks without controls: sheets done too fast, and long runs of one value.

They use only an annotator's newest work, so that their cost is bounded.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import groupby

from annotation.models import Annotator, Judgment, JudgmentVersion, Slot
from annotation.selectors.quality.checks import FINE, Case, Result, Scope, answered

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
    for value, run in groupby(value for value, _, _ in given):
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
    known = sum(seen.values()) >= FEW
    weights = [1 + (seen.get(level, 0) if known else 0) for level in levels]
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

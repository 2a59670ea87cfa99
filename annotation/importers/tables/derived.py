"""Columns that are computed from others: means, deviations, sums, counts, lengths, copies."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean, median, pstdev, stdev

from annotation.importers.tables.lexicon import concepts
from annotation.importers.tables.profiles import Profile
from paraanno.plain.sentence import Sentence, say

_SAY_SO = frozenset({"mean", "median", "sd", "sum", "count", "majority"})
MOST_SOURCES = 12  # columns from which one is computed
MOST_NUMBERS = 60  # columns that are compared
LEAST_ROWS = 3
MOST_ROWS = 300
LEAST_LETTERS = 6  # of texts whose length is counted, on average
LEAST_OF_WHOLE = 6  # rows from which on whole numbers prove anything
Values = Sequence[float | None]
# Name, function, and whether the result may be a whole number by chance.
_RULES: tuple[tuple[str, Callable[[Sequence[float]], float], bool], ...] = (
    ("mean", fmean, False),
    ("sum", math.fsum, False),
    ("sd", stdev, False),
    ("sd", pstdev, False),
    ("median", median, True),
)


def computed(
    names: Sequence[str], profiles: Sequence[Profile], numbers: Sequence[int]
) -> dict[int, tuple[str, tuple[int, ...]]]:
    """Return how columns of numbers are computed from others: "mean" and the places of these.

    Several rows have to agree, up to the rounding of what is printed; where the result is a whole
    number, the name has to say it too.
    """
    found: dict[int, tuple[str, tuple[int, ...]]] = {}
    numbers = numbers[:MOST_NUMBERS]
    said = {at: bool(concepts(names[at]) & _SAY_SO) for at in numbers}
    for at in numbers:
        for places in _sources(at, numbers, profiles, said):
            if any(place in found for place in places):
                continue
            kind = _rule(profiles[at], [profiles[place] for place in places], said[at])
            if kind is not None:
                found[at] = (kind, places)
                break
    return found


def _sources(
    at: int, numbers: Sequence[int], profiles: Sequence[Profile], said: Mapping[int, bool]
) -> Iterator[tuple[int, ...]]:
    """Yield neighbouring columns, the larger groups first, and those at equal distances."""
    others = [
        one for one in numbers
        if one != at and profiles[one].n >= profiles[at].n / 2 and not said[one]
    ]  # fmt: skip
    runs = [others[:MOST_SOURCES], *_runs(others)]
    seen: set[tuple[int, ...]] = set()
    for run in runs:
        for size in range(len(run), 1, -1):
            for start in range(len(run) - size + 1):
                part = tuple(run[start : start + size])
                if part not in seen:
                    seen.add(part)
                    yield part
    for step in (2, 3, 4):
        for first in range(step):
            part = tuple(others[first::step])[:MOST_SOURCES]
            if len(part) > 1 and part not in seen:
                seen.add(part)
                yield part


def _runs(others: Sequence[int]) -> list[list[int]]:
    """Return the runs of columns that stand beside each other, a gap of one within."""
    runs: list[list[int]] = []
    for one in others:
        if runs and one - runs[-1][-1] <= 2 and len(runs[-1]) < MOST_SOURCES:
            runs[-1].append(one)
        else:
            runs.append([one])
    return runs


def _rule(result: Profile, sources: Sequence[Profile], named: bool) -> str | None:
    rows = [
        (value, [one for one in parts if one is not None], text)
        for value, *parts, text in zip(
            result.values, *(one.values for one in sources), result.texts, strict=True
        )
        if value is not None
    ]
    rows = [row for row in rows if len(row[1]) >= 2][:MOST_ROWS]
    if len(rows) < LEAST_ROWS:
        return None
    whole = all(value == int(value) for value, _, _ in rows)
    for kind, function, by_chance in _RULES:
        if by_chance and not named:
            continue
        if whole and not named and (kind != "sum" or len(rows) < LEAST_OF_WHOLE - 2):
            continue
        if all(_fits(value, function(parts), text) for value, parts, text in rows):
            varied = len({round(function(parts), 6) for _, parts, _ in rows}) > 1
            if varied or named:
                return kind
    return None


def _fits(value: float, result: float, text: str) -> bool:
    """Whether a printed value is a result, rounded to as many decimals as it has."""
    _, point, decimals = text.replace(",", ".").rpartition(".")
    places = len(decimals) if point and decimals.isdigit() else 0
    return abs(value - result) <= 0.5 * 10.0**-places + 1e-9 if places else value == result


def length_of(profile: Profile, texts: Sequence[Profile]) -> int | None:
    """Return the place among `texts` of the column whose characters or words a column counts."""
    rows = [at for at, value in enumerate(profile.values) if value is not None]
    if len(rows) < LEAST_ROWS or profile.distinct < 2:
        return None
    for place, text in enumerate(texts):
        cells = [(profile.values[at], text.texts[at]) for at in rows if text.texts[at]]
        if len(cells) < LEAST_ROWS or text.is_label or text.length < LEAST_LETTERS:
            continue
        if all(value == len(cell) for value, cell in cells) or all(
            value == len(cell.split()) for value, cell in cells
        ):
            return place
    return None


def reason_of(kind: str, n: int) -> Sentence:
    """Return what a computed column is."""
    whole = {
        "mean": say("mean of %(n)s columns", n=n),
        "median": say("median of %(n)s columns", n=n),
        "sd": say("standard deviation of %(n)s columns", n=n),
        "sum": say("sum of %(n)s columns", n=n),
    }
    return whole[kind]


def computed_by_name(name: str) -> Sentence | None:
    """Return what a column of numbers is computed of, by its name alone; None for another name."""
    about = concepts(name)
    reasons = {
        "mean": say("a mean"), "median": say("a median"), "sd": say("a deviation"),
        "sum": say("a sum"), "count": say("a count"), "majority": say("computed of the judgments"),
        "metric": say("the score of a metric"), "length": say("a length"),
        "rank": say("a rank"), "duration": say("how long it took"),
    }  # fmt: skip
    return next((reason for kind, reason in reasons.items() if kind in about), None)

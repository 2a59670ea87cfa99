"""A board as rows with drawings: dot and whisker, ranks as bars; and letters.

Coordinates are per cent as strings, so that every language writes a decimal point.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from scoring.shared_tasks.models import SharedTask
from scoring.stats.intervals import LEAST_OVER_SYSTEMS, least_to_tell_apart
from scoring.stats.shared_tasks.measures import OVER_SYSTEMS

TICKS = 5


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the axis, with its number."""

    x: str
    label: str


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A row with texts and places; rows that share one of the `letters` are not told apart."""

    row: Mapping[str, Any]
    value: str
    interval: str
    ranks: str
    dot: str = ""
    low: str = ""
    high: str = ""
    rank_x: str = ""
    rank_width: str = ""
    letters: str = ""
    tests: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class BoardView:
    """The drawn board of a track."""

    rows: list[BoardRow]
    ticks: list[Tick]
    ranks: list[Tick]
    ceiling: Tick | None = None


def percent(share: float) -> str:
    return f"{100 * min(max(share, 0.0), 1.0):.1f}%"


def short(value: float | None, digits: int = 3) -> str:
    """Without the zero before the point, as numbers that cannot pass 1 are written."""
    if value is None:
        return "–"
    text = f"{abs(value):.{digits}f}"
    text = text[1:] if text.startswith("0.") else text
    return f"−{text}" if value < 0 else text


def board_view(
    rows: Sequence[Mapping[str, Any]],
    key: str,
    tests: Mapping[str, Any] | None = None,
    ceiling: Mapping[str, float] | None = None,
) -> BoardView:
    """Lay out the rows of a board by the column `key` (half, strict or value), and the human
    ceiling of that column, if it is known."""
    scored = [row for row in rows if row.get(key) is not None]
    top = (ceiling or {}).get(key)
    low, high = _ends([*scored, *([{key: top}] if top is not None else [])], key)
    most = max((row["rank_high"] or 1 for row in scored), default=1)
    drawn = [_row(row, key, (low, high), most, tests or {}) for row in rows]
    return BoardView(
        drawn,
        [Tick(percent((at - low) / (high - low)), short(at, 2)) for at in _ticks(low, high)],
        [Tick(percent((n - 0.5) / most), str(n)) for n in range(1, most + 1) if _labelled(n, most)],
        None if top is None else Tick(percent((top - low) / (high - low)), short(top)),
    )


def _row(
    row: Mapping[str, Any],
    key: str,
    axis: tuple[float, float],
    most: int,
    tests: Mapping[str, Any],
) -> BoardRow:
    value = row.get(key)
    if value is None:
        return BoardRow(row, "–", "", "–")
    low, high = axis
    ends = (row.get("ci_low"), row.get("ci_high")) if key != "strict" else (None, None)

    def at(number: float) -> str:
        return percent((number - low) / (high - low))

    first, last = row["rank_low"], row["rank_high"]
    ranked = first is not None
    return BoardRow(
        row,
        short(value),
        f"[{short(ends[0])}, {short(ends[1])}]" if None not in ends else "",
        ("–" if not ranked else str(first) if first == last else f"{first}–{last}"),
        at(value),
        at(ends[0]) if ends[0] is not None else "",
        at(ends[1]) if ends[1] is not None else "",
        percent((first - 1) / most + 0.01) if ranked else "",
        percent((last - first + 1) / most - 0.02) if ranked else "",
        _shared(row),
        tuple(tests.get(row.get("key", ""), ())),
    )


def _shared(row: Mapping[str, Any]) -> str:
    """The letters of a row; a board that an earlier version made has groups of neighbours."""
    return str(row.get("letters") or row.get("group") or "")


def _ends(rows: Sequence[Mapping[str, Any]], key: str) -> tuple[float, float]:
    numbers = [
        float(row[name])
        for row in rows
        for name in (key, "ci_low", "ci_high")
        if row.get(name) is not None
    ]
    low, high = min(numbers, default=0.0), max(numbers, default=1.0)
    pad = max((high - low) * 0.06, 0.01)
    return low - pad, high + pad


def _ticks(low: float, high: float) -> list[float]:
    step = 10 ** math.floor(math.log10((high - low) / 2))
    for factor in (1, 2, 5, 10):
        if (high - low) / (step * factor) <= TICKS:
            break
    step *= factor
    first = math.ceil(low / step)
    return [round(n * step, 9) for n in range(first, math.floor(high / step) + 1)]


def _labelled(rank: int, most: int) -> bool:
    return most <= 12 or rank == 1 or rank % 5 == 0


@dataclass(frozen=True, slots=True)
class Progress:
    """Public values over time: a path and a name for each team, and the ends of both axes."""

    lines: list[tuple[str, str, str]]
    first: str
    last: str
    low: str
    high: str


NAME_HEIGHT = 10.0  # Of the drawing, in per cent.


def progress_view(points: Mapping[str, Sequence[tuple[float, str, float]]]) -> Progress | None:
    """Lay out (seconds, day, value) of each team, in order of time; None below two points."""
    every = [point for line in points.values() for point in line]
    if len(every) < 2:
        return None
    start, end = min(p[0] for p in every), max(p[0] for p in every)
    low, high = min(p[2] for p in every), max(p[2] for p in every)
    width, height = (end - start) or 1.0, (high - low) or 1.0
    paths, ends = {}, {}
    for name, line in points.items():
        places = [(100 * (t - start) / width, 95 - 90 * (v - low) / height) for t, _d, v in line]
        # A line to itself is a dot.
        paths[name] = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in (places[0], *places))
        ends[name] = places[-1][1]
    lines = [(name, paths[name], f"{y:.1f}%") for name, y in _names_apart(ends).items()]
    days = sorted(point[1] for point in every)
    return Progress(lines, days[0], days[-1], short(low), short(high))


def _names_apart(ends: Mapping[str, float]) -> dict[str, float]:
    """Where the names stand, from the top: beside the ends of their lines, or above the next."""
    places: dict[str, float] = {}
    free, step = 100.0, min(NAME_HEIGHT, 95 / len(ends))
    for name, y in sorted(ends.items(), key=lambda one: -one[1]):
        places[name] = min(y, free)
        free = places[name] - step
    return dict(reversed(places.items()))


# How the numbers of a board were made.


def how_made(measure: str, of_track: Mapping[str, Any]) -> list[str]:
    """Sentences on the intervals and tests of a track's board, as its JSON has it. Boards of
    earlier versions do not say from how many originals they are."""
    rows, originals = of_track.get("rows", ()), of_track.get("originals")
    if any(row.get("ci_low") is not None for row in rows):
        intervals = _("Brackets: 95 %, leaving out phrases and originals.")
    elif measure == "soft_pairwise_accuracy":
        intervals = _("No intervals: it is made of p-values, whose errors are not those of a mean.")
    elif measure == "acc_eq":
        intervals = _("No intervals: the threshold of ties is chosen on the same pairs.")
    else:
        intervals = ""
    if measure in OVER_SYSTEMS:
        tests = _(
            "Rank intervals jointly contain all true ranks in 95 of 100 tasks (draws of whole "
            "originals)."
        )
        least = LEAST_OVER_SYSTEMS
    elif measure in ("pearson", "spearman"):
        tests = _(
            "Rank intervals jointly contain all true ranks in 95 of 100 tasks (swaps of whole "
            "originals, adjusted by Holm)."
        )
        pairs = sum(row.get("rank_low") is not None for row in rows)
        least = least_to_tell_apart(max(1, pairs * (pairs - 1) // 2))
    else:
        tests = _(
            "Rank intervals jointly contain all true ranks in 95 of 100 tasks (swaps of whole "
            "originals, step-down max-T)."
        )
        least = least_to_tell_apart()
    cannot = _("%(n)s originals cannot tell submissions apart at .05; %(least)s are needed.")
    few = originals is not None and originals < least
    return [
        one
        for one in (intervals, tests, cannot % {"n": originals, "least": least} if few else "")
        if one
    ]


# The badge of a task: a small picture for other pages.


LETTER = 7  # px of a letter, about: a badge loads no font.


def badge_svg(*, task: SharedTask, teams: int) -> str:
    """Name of the task on the left, its state and number of teams on the right."""
    state = str(SharedTask.State(task.state).label)
    right = _("%(state)s, teams: %(n)s") % {"state": state, "n": teams}
    left = task.title[:40]
    widths = [LETTER * len(text) + 14 for text in (left, right)]
    return render_to_string(
        "tasks/badge.svg",
        {
            "left": left,
            "right": right,
            "left_width": widths[0],
            "right_width": widths[1],
            "width": sum(widths),
            "left_x": str(widths[0] / 2),
            "right_x": str(widths[0] + widths[1] / 2),
        },
    )

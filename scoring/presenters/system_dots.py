"""Results of systems as pictures: dots with intervals, ranks, groups, and shares of points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_uppercase

from django.utils.translation import gettext as _

from annotation.presenters.chart_files import ChartFile, Value
from annotation.presenters.charts import DotChart, DotRow
from paraanno.minus import minus
from scoring.stats.systems.intervals import IntervalJson
from scoring.stats.systems.json_types import (
    Cluster,
    ResultsReport,
    ScaleShares,
    SystemPair,
    SystemShares,
)

NEIGHBOURS_OF = range(2, 13)  # More systems are no list that anybody reads.


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One system by one outcome. `cut`: it is the last of its group."""

    dot: DotRow
    rank: str
    group: str
    shares: tuple[float, ...]
    cut: bool


@dataclass(frozen=True, slots=True)
class OutcomePicture:
    """The systems by one outcome, the best first.

    scale       None for the share that passes all
    points      the values of the scale whose shares the rows have
    neighbours  differences of systems next to each other; hollow where no test tells them apart
    """

    scale: str | None
    title: str
    chart: DotChart
    rows: tuple[SystemRow, ...]
    points: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    neighbours: DotChart | None

    @property
    def told_apart(self) -> str:
        """The groups in one sentence; empty if nothing is told apart."""
        if len(self.groups) < 2:
            return _("No test tells any two of them apart.") if len(self.rows) > 1 else ""
        parts = (_(" and ").join(group) if len(group) < 3 else ", ".join(group)
                 for group in self.groups)  # fmt: skip
        return _("Told apart: %(groups)s.") % {"groups": _("; then ").join(parts)}


def outcome_pictures(found: ResultsReport, up: Mapping[str, bool]) -> list[OutcomePicture]:
    """A picture for each scale, and one for passing all thresholds where there are any. `up` says
    of which scales higher is better."""
    systems = found["systems"]
    if not systems:
        return []
    pictures = [
        _picture(found, scale, {name: one["scales"][scale] for name, one in systems.items()},
                 up.get(scale, True))
        for scale in next(iter(systems.values()))["scales"]
    ]  # fmt: skip
    if any(one["pass_all"] is not None for one in systems.values()):
        pictures.append(_passing(found, systems))
    return [one for one in pictures if any(row.dot.value is not None for row in one.rows)]


def system_files(picture: OutcomePicture) -> dict[str, ChartFile]:
    """The picture, and the differences of neighbours, as files."""
    beside: list[dict[str, Value]] = [
        {"rank_interval": row.rank, "group": row.group,
         **{f"share_{point}": share
            for point, share in zip(picture.points, row.shares, strict=True)}}
        for row in picture.rows
    ]  # fmt: skip
    files = {"systems": ChartFile(picture.title, [("", picture.chart)], beside)}
    if picture.neighbours is not None:
        title = _("Differences: %(title)s") % {"title": picture.title}
        files["neighbours"] = ChartFile(title, [("", picture.neighbours)])
    return files


def mean_of(distribution: Mapping[str, float]) -> float | None:
    """The mean, computed for stored results that lack it."""
    if not any(distribution.values()):
        return None
    return sum(float(value) * share for value, share in distribution.items())


def _picture(
    found: ResultsReport, scale: str, of: Mapping[str, ScaleShares], higher: bool
) -> OutcomePicture:
    dots = [
        _dot(name, one.get("mean", mean_of(one["distribution"])), one.get("mean_bootstrap"))
        for name, one in of.items()
    ]
    points = sorted({value for one in of.values() for value in one["distribution"]}, key=float)
    shares = {
        name: tuple(one["distribution"].get(value, 0.0) for value in points)
        for name, one in of.items()
    }
    return _of(
        found, scale, _("Mean of %(scale)s") % {"scale": scale}, dots, higher, points, shares
    )


def _passing(found: ResultsReport, systems: Mapping[str, SystemShares]) -> OutcomePicture:
    dots = []
    for name, one in systems.items():
        drawn, wilson = one.get("pass_all_bootstrap"), one.get("pass_all_interval")
        best = drawn if drawn and drawn["low"] is not None else wilson
        dots.append(_dot(name, one["pass_all"], best))
    return _of(found, None, _("Share that passes all thresholds"), dots, True, [], {})


def _dot(name: str, value: float | None, ends: IntervalJson | None) -> DotRow:
    return DotRow(name, value, ends and ends["low"], ends and ends["high"])


def _of(
    found: ResultsReport,
    scale: str | None,
    title: str,
    dots: list[DotRow],
    higher: bool,
    points: Sequence[str],
    shares: Mapping[str, tuple[float, ...]],
) -> OutcomePicture:
    dots.sort(key=lambda dot: (dot.value is None, -(dot.value or 0) if higher else dot.value or 0))
    cluster: Cluster | None = next(
        (one for one in found.get("clusters", []) if one["scale"] == scale), None
    )
    groups = tuple(tuple(group) for group in cluster["groups"]) if cluster else ()
    letter = {name: ascii_uppercase[at % 26] for at, group in enumerate(groups) for name in group}
    ranks = cluster.get("ranks", {}) if cluster else {}
    last = {group[-1] for group in _in_order(groups, dots)[:-1]}
    rows = tuple(
        SystemRow(
            dot,
            "–".join(str(end) for end in dict.fromkeys(ranks.get(dot.name, []))),
            letter.get(dot.name, "") if len(groups) > 1 else "",
            shares.get(dot.name, ()),
            dot.name in last,
        )
        for dot in dots
    )
    return OutcomePicture(
        scale, title, DotChart.of(dots), rows, tuple(str(minus(point)) for point in points), groups,
        _neighbours(found, scale, dots),
    )  # fmt: skip


def _in_order(groups: Sequence[tuple[str, ...]], dots: Sequence[DotRow]) -> list[list[str]]:
    """The groups, each in the order of the rows."""
    return [[dot.name for dot in dots if dot.name in group] for group in groups]


def _neighbours(found: ResultsReport, scale: str | None, dots: Sequence[DotRow]) -> DotChart | None:
    if len(dots) not in NEIGHBOURS_OF:
        return None
    pairs: dict[tuple[str, str], SystemPair] = {
        (row["a"], row["b"]): row for row in found.get("pairs", []) if row["scale"] == scale
    }
    rows = [
        _gap(one.name, other.name, pairs, found.get("alpha", 0.05)) for one, other in pairwise(dots)
    ]
    known = [row for row in rows if row is not None]
    return DotChart.of(known, refs=(0.0,)) if known else None


def _gap(
    a: str, b: str, pairs: Mapping[tuple[str, str], SystemPair], alpha: float
) -> DotRow | None:
    """The first minus the second."""
    turned = (a, b) not in pairs
    row = pairs.get((b, a) if turned else (a, b))
    if row is None or row["difference"] is None:
        return None
    low, high = row["interval"]["low"], row["interval"]["high"]
    value = row["difference"]
    if turned:
        value, low, high = -value, None if high is None else -high, None if low is None else -low
    p = row.get("p_max_t")
    if p is None:
        p = row.get("p_holm")
    clear = p is not None and p < alpha
    return DotRow(
        f"{a} {minus('-')} {b}", value + 0.0, low, high, hollow=not clear, sign=True,
        reason=_("told apart") if clear else _("not told apart"),
    )  # fmt: skip

"""Gold as a picture: how many texts have which value, and how many pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.presenters.chart_files import BarsFile
from annotation.presenters.charts import ChartAxis, axis_for
from scoring.stats.gold.compare import BINS as REPORTED
from scoring.stats.gold.json_types import Summary
from scoring.stats.passes import SLACK, Threshold

BINS, GAP = 20, 0.6  # The gap between bars is in per cent.
STEPS = 4  # Of the axis: that of a scale from 1 to 5 has no room outside.


@dataclass(frozen=True, slots=True)
class GoldBar:
    """Places in per cent, and how many texts the bar has."""

    x: str
    width: str
    y: str
    height: str
    passes: bool
    n: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class GoldBars:
    """The gold of one scale as a histogram. `threshold` is its place, `passing` the number of texts
    that reach it; both None without a threshold, `passing` also where the report has binned values.
    """

    name: str
    n: int
    axis: ChartAxis
    bars: tuple[GoldBar, ...]
    most: int
    threshold: str | None
    passing: int | None


def gold_files(pictures: Sequence[GoldBars]) -> dict[str, BarsFile]:
    """The histograms as files."""
    return {
        f"gold-{at}": BarsFile(
            one.name, one.axis, [(bar.low, bar.high, bar.n, bar.passes) for bar in one.bars]
        )
        for at, one in enumerate(pictures, 1)
    }


def gold_bars(columns: Mapping[str, Summary], limits: Mapping[str, Threshold]) -> list[GoldBars]:
    """A histogram for each scale with values, of the distribution of gold over texts."""
    return [
        _bars(name, {float(value): n for value, n in column["distribution"].items()},
              limits.get(name))
        for name, column in columns.items()
        if column["distribution"]
    ]  # fmt: skip


def _bars(name: str, counts: Mapping[float, int], limit: Threshold | None) -> GoldBars:
    axis = axis_for([*counts, *([limit.value] if limit else [])], steps=STEPS)
    # Of that many values the report may know their bins alone, from which nobody can tell.
    told = limit if len(counts) < REPORTED else None
    width = (axis.high - axis.low) / BINS
    bins = [[0, 0] for _ in range(BINS)]  # That fail, or that pass.
    for value, n in counts.items():
        at = min(BINS - 1, max(0, int((value - axis.low) / width + SLACK)))
        bins[at][_passes(value, told)] += n
    most = max(sum(pair) for pair in bins)
    bars, step = [], 100 / BINS
    for at, (fail, reach) in enumerate(bins):
        below = 100.0
        for n, passes in ((fail, False), (reach, True)):
            if n:
                height = 100 * n / most
                below -= height
                bars.append(
                    GoldBar(f"{at * step + GAP / 2:.2f}%", f"{step - GAP:.2f}%", f"{below:.2f}%",
                            f"{height:.2f}%", passes, n,
                            round(axis.low + at * width, 10),
                            round(axis.low + (at + 1) * width, 10))
                )  # fmt: skip
    return GoldBars(
        name, sum(counts.values()), axis, tuple(bars), most,
        None if limit is None else axis.at(limit.value),
        None if told is None else sum(pair[True] for pair in bins),
    )  # fmt: skip


def _passes(value: float, limit: Threshold | None) -> bool:
    if limit is None:
        return True
    if limit.higher_is_better:
        return value >= limit.value - SLACK
    return value <= limit.value + SLACK

"""Gold as a picture: how many texts have which value, and how many pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypedDict

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator

from annotation.http.charts import DotChart, DotRow, axis_for
from annotation.models import Campaign, Substitution
from scoring.chart_files import BarsFile
from scoring.figures.screen import svg
from scoring.gold.report import method_label, texts_of
from scoring.stats.gold.compare import BINS as REPORTED
from scoring.stats.gold.latent import METHODS
from scoring.stats.gold.values import (
    BorderlineCounts,
    BorderlineText,
    GoldReport,
    MethodPair,
    Summary,
)
from scoring.stats.resampling import SLACK, Threshold

BINS, TALL = 20, 120  # Pixels.
STEPS = 4  # Of the axis: that of a scale from 1 to 5 has no room outside.


@dataclass(frozen=True, slots=True)
class GoldBars:
    """The gold of one scale as a histogram. `passing` is the number of texts that reach the
    threshold; None without one, and where the report has binned values."""

    name: str
    n: int
    file: BarsFile
    passing: int | None
    part: BorderlineScale | None = None

    @property
    def drawing(self) -> SafeString:
        [figure] = self.file.figures()
        return mark_safe(svg(figure, self.name, height=TALL))  # noqa: S308 (escaped)


NEAR = 6  # Texts shown of each scale on the page itself.
Near: TypeAlias = "tuple[BorderlineScale, list[tuple[DotChart, DotRow, ListedText]]]"


def near_threshold(campaign: Campaign, report: GoldReport) -> list[Near]:
    """The texts of each scale that are closest to its threshold, with what draws them."""
    near: list[Near] = []
    for part in borderline(campaign, report):
        listed = part["listed"][:NEAR]
        rows = [_near_row(campaign, one) for one in listed]
        if rows:
            chart = DotChart.of(rows, refs=[part["threshold"]])
            pairs = zip(rows, listed, strict=True)
            near.append((part, [(chart, row, one) for row, one in pairs]))
    return near


def _near_row(campaign: Campaign, one: ListedText) -> DotRow:
    text = one["text"]
    return DotRow(
        Truncator(f"{text.item.phrase.text} → {text.text}").chars(70),
        one["value"],
        one["low"],
        one["high"],
        hollow=not one["passes"],
        url=reverse("item", args=[campaign.slug, text.item.key]),
    )


def gold_files(pictures: Sequence[GoldBars]) -> dict[str, BarsFile]:
    """The histograms as files."""
    return {f"gold-{at}": one.file for at, one in enumerate(pictures, 1)}


def gold_bars(columns: Mapping[str, Summary], limits: Mapping[str, Threshold]) -> list[GoldBars]:
    """A histogram for each scale with values, of the distribution of gold over texts."""
    return [
        _bars(
            name, {float(value): n for value, n in column["distribution"].items()}, limits.get(name)
        )
        for name, column in columns.items()
        if column["distribution"]
    ]


def _bars(name: str, counts: Mapping[float, int], limit: Threshold | None) -> GoldBars:
    axis = axis_for([*counts, *([limit.value] if limit else [])], steps=STEPS)
    # Of that many values the report may know their bins alone, from which nobody can tell.
    threshold = limit if len(counts) < REPORTED else None
    width = (axis.high - axis.low) / BINS
    bins = [[0, 0] for _ in range(BINS)]  # That fail, or that pass.
    for value, n in counts.items():
        at = min(BINS - 1, max(0, int((value - axis.low) / width + SLACK)))
        bins[at][_passes(value, threshold)] += n
    edges = [round(axis.low + at * width, 10) for at in range(BINS + 1)]
    bars = [
        (edges[at], edges[at + 1], n, passes)
        for at, pair in enumerate(bins)
        for n, passes in zip(pair, (False, True), strict=True)
        if n
    ]
    return GoldBars(
        name,
        sum(counts.values()),
        BarsFile(name, axis, bars, None if limit is None else limit.value),
        None if threshold is None else sum(pair[True] for pair in bins),
    )


def _passes(value: float, limit: Threshold | None) -> bool:
    if limit is None:
        return True
    if limit.higher_is_better:
        return value >= limit.value - SLACK
    return value <= limit.value + SLACK


# The gold reports, prepared for the page.


class ColumnRow(Summary):
    """A method's summary of a column; `chosen` is the one of the page."""

    key: str
    label: str
    chosen: bool


class MethodCell(MethodPair):
    """A cell of a square of methods."""

    value: float | None
    reason: str | None


SquareRow: TypeAlias = "tuple[str, list[MethodCell | None]]"


class ComparedColumn(TypedDict):
    """One column by all methods."""

    name: str
    rows: list[ColumnRow]
    distribution: dict[str, int]
    square: list[SquareRow]
    labels: list[str]


class ComparedMethods(TypedDict):
    """All columns, and the decisions."""

    columns: list[ComparedColumn]
    passes: list[ColumnRow]
    square: list[SquareRow]
    labels: list[str]


class ListedText(BorderlineText):
    """A decision with its text."""

    text: Substitution


class BorderlineScale(BorderlineCounts):
    """One scale; `listed` are those whose text is still there."""

    name: str
    sign: str
    listed: list[ListedText]


def compared(report: GoldReport, chosen: str) -> ComparedMethods:
    """For each column: summaries of the methods, the distribution of the chosen one, and
    correlations."""
    methods = report["methods"]
    pairs = report["comparison"]["columns"]
    names = list(next(iter(methods.values()))["columns"]) if methods else []
    columns: list[ComparedColumn] = [
        {
            "name": name,
            "rows": [
                {
                    "key": key,
                    "label": method_label(key),
                    "chosen": key == chosen,
                    **one["columns"][name],
                }
                for key, one in methods.items()
            ],
            "distribution": _distribution(methods[chosen]["columns"][name]),
            "square": _square([_cell(one, one["spearman"], one["reason"]) for one in pairs[name]]),
            "labels": _labels(pairs[name]),
        }
        for name in names
    ]
    decisions = report["comparison"]["passes"]
    return {
        "columns": columns,
        "passes": [
            {"key": key, "label": method_label(key), "chosen": key == chosen, **one["passes"]}
            for key, one in methods.items()
        ],
        "square": _square([_cell(one, one["differ"], None) for one in decisions]),
        "labels": _labels(decisions),
    }


def _distribution(column: Summary) -> dict[str, int]:
    """Bars of the number of texts by gold value; empty if no text has gold."""
    counts = column["distribution"]
    return counts if any(counts.values()) else {}


def _labels(pairs: Sequence[MethodPair]) -> list[str]:
    return [method_label(name) for name in _named(pairs)]


def _named(pairs: Sequence[MethodPair]) -> list[str]:
    names = {name for pair in pairs for name in (pair["a"], pair["b"])}
    return [name for name in METHODS if name in names]


def _cell(pair: MethodPair, value: float | None, reason: str | None) -> MethodCell:
    return {"a": pair["a"], "b": pair["b"], "n": pair["n"], "value": value, "reason": reason}


def _square(pairs: Sequence[MethodCell]) -> list[SquareRow]:
    """Rows of (label, cells): None on the diagonal, else value, n and reason of the pair."""
    cells = {(pair["a"], pair["b"]): pair for pair in pairs}
    cells |= {(pair["b"], pair["a"]): pair for pair in pairs}
    names = _named(pairs)
    return [(method_label(one), [cells.get((one, other)) for other in names]) for one in names]


def borderline(campaign: Campaign, report: GoldReport) -> list[BorderlineScale]:
    """The borderline decisions of each scale, with their texts; one query."""
    parts = report["straddling"]
    wanted = {int(row["unit"]) for part in parts.values() for row in part["listed"]}
    by_pk = texts_of(campaign=campaign, units=wanted)
    return [
        {
            "name": name,
            "higher_is_better": part["higher_is_better"],
            "threshold": part["threshold"],
            "interval": part["interval"],
            "decisions": part["decisions"],
            "passing": part["passing"],
            "straddling": part["straddling"],
            "flipping": part["flipping"],
            "alone": part["alone"],
            "annotators": part["annotators"],
            "reason": part["reason"],
            "sign": "≥" if part["higher_is_better"] else "≤",
            "listed": [
                {**row, "text": by_pk[int(row["unit"])]}
                for row in part["listed"]
                if int(row["unit"]) in by_pk
            ],
        }
        for name, part in parts.items()
    ]

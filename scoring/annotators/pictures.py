"""Drawings of annotators as data: the axis of a table, a trend, and several beside each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from annotation.http.charts import DotChart, DotRow
from paraanno.template_filters import translated
from scoring.figures.data import Axis, Figure, Series
from scoring.stats.annotators.catalogue import CATALOGUE, KnownAnnotator, StatisticJson


def round_up(value: float) -> float:
    """Round up to one of 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5 ..."""
    if value <= 0.1:
        return 0.1
    power = 10.0 ** math.floor(math.log10(value))
    return next(
        step * power for step in (1, 1.5, 2, 3, 5, 7, 10) if value <= step * power * (1 + 1e-9)
    )


@dataclass(frozen=True, slots=True)
class SharedAxis:
    """The axis that all drawings of a table share: from -most to most."""

    most: float

    @classmethod
    def of(cls, estimates: Sequence[StatisticJson]) -> SharedAxis:
        """Wide enough for every value and interval."""
        ends = [
            abs(end)
            for one in estimates
            for end in (one["value"], one.get("ci_low"), one.get("ci_high"))
            if end is not None
        ]
        return cls(round_up(max(ends, default=1.0)))

    @property
    def least(self) -> float:
        return -self.most


def trend_figure(trend: StatisticJson | None, judgments: int) -> Figure | None:
    """Differences from the mean of the others in order of judging, and their trend line."""
    if trend is None or trend["value"] is None:
        return None
    dots, start = trend.get("points"), trend.get("intercept")
    if not dots or start is None:
        return None
    last = max(judgments, 2)
    line = (start, start + trend["value"] * (last - 1) / 100)
    gaps = tuple(point[1] for point in dots)
    most = round_up(max(abs(y) for y in (*line, *gaps)))
    places = tuple(point[0] + 1 for point in dots)
    return Figure(
        "",
        Axis(_("judgments in their order"), 1, last),
        Axis("", -most, most),
        (
            Series(_("mean of equally many judgments"), places, gaps),
            Series(_("line fitted to all"), (1, last), line, "line", tone="ink"),
        ),
    )


# How severe annotators are, and how far they agree with the rest.


MOST = 40  # More are a table.
WITH_THE_REST = ("correlation", "agreement")  # The first that the scale has.
NAMED = {one.key: one for one in CATALOGUE}


class PicturedAnnotator(KnownAnnotator):
    """A row of the table, as far as a picture reads it."""

    numbers: dict[str, StatisticJson]


@dataclass(frozen=True, slots=True)
class AnnotatorPicture:
    """One number of all annotators, and what it says."""

    key: str
    title: str
    summary: str
    chart: DotChart


def annotator_pictures(
    rows: Sequence[PicturedAnnotator], url: Callable[[UUID], str]
) -> list[AnnotatorPicture]:
    """Severity around 0, the lowest first, and agreement with the rest, the lowest first; without
    those who have no value. Of more than MOST the ones furthest out, or lowest, are drawn."""
    pictures = []
    severity = _dots(rows, "severity", url, signed=True)
    if severity:
        furthest = sorted(severity, key=lambda row: -abs(row.value or 0.0))[:MOST]
        drawn = sorted(furthest, key=lambda row: row.value or 0.0)
        caption = _("Hollow: the interval contains 0, or there is none: no difference is detected.")
        pictures.append(_picture("severity", DotChart.of(drawn, refs=(0.0,)), caption))
    for key in WITH_THE_REST:
        rest = sorted(_dots(rows, key, url, signed=False), key=lambda row: row.value or 0.0)
        if rest:
            pictures.append(_picture(key, DotChart.of(rest[:MOST], most=1.0), ""))
            break
    return pictures


def _picture(key: str, chart: DotChart, caption: str) -> AnnotatorPicture:
    number = NAMED[key]
    return AnnotatorPicture(
        key, translated(number.label), f"{translated(number.says)} {caption}".strip(), chart
    )


def _dots(
    rows: Sequence[PicturedAnnotator], key: str, url: Callable[[UUID], str], *, signed: bool
) -> list[DotRow]:
    dots = []
    for row in rows:
        number = row["numbers"].get(key)
        if number is None or number["value"] is None:
            continue
        low, high = number.get("ci_low"), number.get("ci_high")
        within = signed and (low is None or high is None or low <= 0 <= high)
        dots.append(
            DotRow(
                row["code"],
                number["value"],
                low,
                high,
                hollow=within,
                url=url(UUID(str(row["key"]))),
                sign=signed,
                bounded=not signed,
            )
        )
    return dots

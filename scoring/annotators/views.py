"""Annotator pages: a table of all annotators, and a page for each."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict, cast
from urllib.parse import urlencode
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.access import campaign_get, get_in
from annotation.http.charts import ChartFile, DotChart, DotRow, chart_asked
from annotation.http.pages import campaign_page
from annotation.models import Annotator
from annotation.people.annotators import is_excluded
from paraanno.minus import minus
from paraanno.translated import translated
from scoring.reports.compute import report_get
from scoring.stats.annotators.catalogue import (
    CATALOGUE,
    AnnotatorNumbers,
    AnnotatorsBlock,
    AnnotatorsReport,
    KnownAnnotator,
    Number,
    StatisticJson,
    Written,
    statistics_of,
)

# Drawings of annotators as data for inline SVG: the axis of a table, and a trend.
#
# Coordinates are strings, so that every language writes a decimal point.


WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 220, 48, 12, 14, 26


class TrendDot(TypedDict):
    """A judgment: where its dot stands, and what it says."""

    x: str
    y: str
    place: int
    gap: str
    n: int


class TrendFigure(TypedDict):
    """The drawing of a trend; `ticks` are (place, text)."""

    width: int
    height: int
    left: int
    right: int
    ticks: list[tuple[str, str]]
    line: list[str]
    points: list[TrendDot]
    bottom: int
    first: int
    last: int


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


def trend_figure(trend: StatisticJson | None, judgments: int) -> TrendFigure | None:
    """Differences from the mean of the others in order of judging, and their trend line."""
    if trend is None or trend["value"] is None:
        return None
    dots, start = trend.get("points"), trend.get("intercept")
    if not dots or start is None:
        return None
    last = max(judgments - 1, 1)
    line = [start, start + trend["value"] * last / 100]
    most = round_up(max(abs(y) for y in [*line, *(point[1] for point in dots)]))

    def x(place: float) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * place / last:.1f}"

    def y(difference: float) -> str:
        return f"{TOP + (HEIGHT - TOP - BOTTOM) * (1 - difference / most) / 2:.1f}"

    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "ticks": [(y(at), minus(f"{at:+g}") if at else "0") for at in (most, 0, -most)],
        "line": [x(0), y(line[0]), x(last), y(line[1])],
        "points": [
            {
                "x": x(place),
                "y": y(gap),
                "place": round(place) + 1,
                "gap": minus(f"{gap:+.2f}"),
                "n": n,
            }
            for place, gap, n in ((one[0], one[1], round(one[2])) for one in dots)
        ],
        "bottom": HEIGHT - 6,
        "first": 1,
        "last": judgments,
    }


# Annotators beside each other as pictures: how severe they are, and how far they agree with the
# rest.


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
    told: str
    chart: DotChart


def annotator_pictures(
    rows: Sequence[PicturedAnnotator], url: Callable[[UUID], str]
) -> list[AnnotatorPicture]:
    """Severity around 0, the lowest first, and agreement with the rest, the lowest first; without
    those who have no value. Of more than MOST the ones furthest out, or lowest, are drawn."""
    found = []
    severity = _dots(rows, "severity", url, signed=True)
    if severity:
        furthest = sorted(severity, key=lambda row: -abs(row.value or 0.0))[:MOST]
        drawn = sorted(furthest, key=lambda row: row.value or 0.0)
        told = _("Hollow: the interval contains 0, so no difference is detected.")
        found.append(_picture("severity", DotChart.of(drawn, refs=(0.0,)), told))
    for key in WITH_THE_REST:
        rest = sorted(_dots(rows, key, url, signed=False), key=lambda row: row.value or 0.0)
        if rest:
            found.append(_picture(key, DotChart.of(rest[:MOST], most=1.0), ""))
            break
    return found


def _picture(key: str, chart: DotChart, told: str) -> AnnotatorPicture:
    number = NAMED[key]
    return AnnotatorPicture(
        key, translated(number.label), f"{translated(number.says)} {told}".strip(), chart
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
        within = signed and low is not None and high is not None and low <= 0 <= high
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


ON_A_PAGE = 100
NOBODY: AnnotatorsBlock = {"reason": None, "methods": {}, "voices": {}}
NOTHING: AnnotatorsReport = {"scales": {}, "pace": NOBODY, "voices": []}
DASH = "–"


class StatisticCell(StatisticJson):
    """A number and its interval as they are written."""

    key: str
    shown: str
    ends: str
    no_interval: str
    beside: str
    scale: NotRequired[str]


class AnnotatorRow(KnownAnnotator):
    """An annotator of the table; only the rows of the page have cells."""

    n_ratings: int
    numbers: dict[str, StatisticJson]
    cells: list[StatisticCell]


class ExplainedRow(TypedDict):
    """A statistic with what it says and a cell for each scale."""

    key: str
    label: str
    text: str
    method: str
    cells: list[StatisticCell]


def plain(value: float) -> str:
    return minus(f"{value:.2f}")


def signed(value: float) -> str:
    return minus(f"{value:+.2f}")


def share(value: float) -> str:
    return f"{100 * value:.0f} %"


def bare(value: float) -> str:
    return f"{100 * value:.0f}"


def tenth(value: float) -> str:
    return f"{value:.1f}"


def whole(value: float) -> str:
    return f"{value:.0f}"


WRITTEN: dict[Written, Callable[[float], str]] = {
    "plain": plain,
    "signed": signed,
    "share": share,
    "tenth": tenth,
    "whole": whole,
}


@never_cache
@require_safe
def annotators(request: HttpRequest, slug: str) -> HttpResponse:
    """All annotators on one scale; `sort` names a column, `down` reverses the order."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    view = report_get(campaign=campaign, kind="annotators", actor=request.user)
    found: AnnotatorsReport = view.result or NOTHING
    names = list(found["scales"])
    scale = request.GET.get("scale", "")
    scale = scale if scale in names else next(iter(names), "")
    block = found["scales"].get(scale, NOBODY)
    made = {**block["methods"], **found["pace"]["methods"]}
    columns = [one for one in CATALOGUE if one.column and one.key in made]
    sort, down = request.GET.get("sort", "code"), bool(request.GET.get("down"))
    rows = _sorted(_rows(found, block), sort, down)
    axis = SharedAxis.of(
        [row["numbers"]["severity"] for row in rows if "severity" in row["numbers"]]
    )
    pictures = annotator_pictures(rows, lambda key: reverse("annotator", args=[slug, key]))
    files = {one.key: ChartFile(f"{one.title}: {scale}", [("", one.chart)]) for one in pictures}
    asked = chart_asked(request, slug, files)
    if asked is not None:
        return asked
    page = Paginator(rows, ON_A_PAGE).get_page(request.GET.get("page"))
    for row in page:
        row["cells"] = [_cell(one, row["numbers"]) for one in columns]
    here = {"scale": scale} | ({"sort": sort} if sort != "code" else {})
    return campaign_page(
        request,
        "scoring/annotators.html",
        campaign=campaign,
        rights=rights,
        view=view,
        scale=scale,
        reason=block["reason"],
        page=page,
        axis=axis,
        pictures=pictures,
        opened=bool({"sort", "down", "page"} & set(request.GET)),
        scales=[(name, urlencode({**here, "scale": name})) for name in names],
        heads=_heads(columns, scale, sort, down),
    )


MOST_MULTIPLES = 12


class Shares(TypedDict):
    """Bars of the own points, (x, y, height, width), lines where the others are, (from, to, y), and
    both in words."""

    bars: list[tuple[str, str, str, str]]
    others: list[tuple[str, str, str]]
    told: str


class SmallMultiple(Shares):
    """An annotator with two statistics."""

    key: str
    code: str
    correlation: StatisticCell
    severity: StatisticCell


def small_multiples(found: AnnotatorsReport, scale: str) -> list[SmallMultiple]:
    """The annotators of a scale, those who follow the others least first."""
    block = found["scales"].get(scale, NOBODY)
    profiles = block.get("profiles")
    if profiles is None:
        return []
    known = {one.key: one for one in CATALOGUE}
    rows = _sorted(_rows(found, block), "correlation", down=False)[:MOST_MULTIPLES]
    shares = {
        code: (_shares(profile["given"]), _shares(profile["others"]))
        for code, profile in profiles["voices"].items()
    }
    most = max((share for code in shares.values() for side in code for share in side), default=1.0)
    return [
        {
            "key": row["key"],
            "code": row["code"],
            **_multiple(*shares[row["code"]], most, profiles["levels"]),
            "correlation": _cell(known["correlation"], row["numbers"]),
            "severity": _cell(known["severity"], row["numbers"]),
        }
        for row in rows
    ]


def _shares(counts: Sequence[int]) -> list[float]:
    return [n / (sum(counts) or 1) for n in counts]


def _multiple(
    own: Sequence[float], others: Sequence[float], most: float, levels: Sequence[float]
) -> Shares:
    step = 100 / len(levels)
    return {
        "bars": [
            (f"{step * (at + 0.1):.1f}%", *_tall(value / most), f"{step * 0.8:.1f}%")
            for at, value in enumerate(own)
        ],
        "others": [
            (f"{step * at:.1f}%", f"{step * (at + 1):.1f}%", f"{100 - 100 * value / most:.1f}%")
            for at, value in enumerate(others)
        ],
        "told": "; ".join(
            _("%(value)s: %(own)s %%, others %(others)s %%")
            % {"value": minus(f"{level:g}"), "own": bare(mine), "others": bare(rest)}
            for level, mine, rest in zip(levels, own, others, strict=True)
        ),
    }


def _tall(share: float) -> tuple[str, str]:
    """The top and the height of a bar."""
    return f"{100 - 100 * share:.1f}%", f"{100 * share:.1f}%"


@never_cache
@require_safe
def annotator_multiples(request: HttpRequest, slug: str) -> HttpResponse:
    """The annotators as small multiples, as a part of the page of agreement."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    view = report_get(campaign=campaign, kind="annotators", actor=request.user)
    found: AnnotatorsReport = view.result or NOTHING
    scale = next(iter(found["scales"]), "")
    context = {
        "campaign": campaign,
        "view": view,
        "waiting": view.waiting is not None and view.waiting.status != "failed" and not view.report,
        "scale": scale,
        "rows": small_multiples(found, scale),
        "reason": found["scales"].get(scale, NOBODY)["reason"],
        "all": len(found["voices"]),
    }
    return render(request, "scoring/_annotator_multiples.html", context)


def _rows(found: AnnotatorsReport, block: AnnotatorsBlock) -> list[AnnotatorRow]:
    """The annotators who judged on the scale, with their statistics on it and their pace."""
    rows: list[AnnotatorRow] = []
    for annotator in found["voices"]:
        own, pace = (part["voices"].get(annotator["code"]) for part in (block, found["pace"]))
        if own is not None:
            numbers = {**(statistics_of(pace) if pace else {}), **statistics_of(own)}
            rows.append(
                {**annotator, "n_ratings": own["n_ratings"], "numbers": numbers, "cells": []}
            )
    return rows


def _sorted(rows: list[AnnotatorRow], sort: str, down: bool) -> list[AnnotatorRow]:
    """Sort by code, number of judgments or a statistic; undefined values come last in either
    order."""
    by_code = sorted(rows, key=lambda row: str(row["code"]), reverse=down and sort == "code")
    if sort == "code":
        return by_code

    def value(row: AnnotatorRow) -> float | None:
        if sort == "n_ratings":
            return row["n_ratings"]
        number = row["numbers"].get(sort)
        return number["value"] if number else None

    known = [row for row in by_code if value(row) is not None]
    known.sort(key=lambda row: value(row) or 0.0, reverse=down)
    return known + [row for row in by_code if value(row) is None]


def _heads(columns: list[Number], scale: str, sort: str, down: bool) -> list[dict[str, str]]:
    """Links that sort by a column; the link of the current column reverses the order."""
    named = [("code", _("Annotator"), ""), ("n_ratings", "n", _("Judgments"))]
    named += [(one.key, translated(one.short), translated(one.says)) for one in columns]
    return [
        {
            "key": key,
            "label": label,
            "text": text,
            "query": urlencode(
                {"scale": scale, "sort": key} | ({"down": 1} if key == sort and not down else {})
            ),
            "now": ("descending" if down else "ascending") if key == sort else "",
        }
        for key, label, text in named
    ]


def _cell(number: Number, numbers: Mapping[str, StatisticJson]) -> StatisticCell:
    """A number and its interval, formatted."""
    key, written = number.key, WRITTEN[number.written]
    none: StatisticJson = {"value": None, "reason": "", "n": 0, "options": {}}
    found = numbers.get(key) or none
    ends = [end for end in (found.get("ci_low"), found.get("ci_high")) if end is not None]
    short = bare if number.written == "share" else written
    more = {
        "key": key,
        "shown": DASH if found["value"] is None else written(found["value"]),
        "ends": f"[{', '.join(map(short, ends))}]" if ends else "",
        "no_interval": found.get("options", {}).get("no_interval", ""),
        "beside": _beside(key, found),
    }
    return cast(StatisticCell, {**found, **more})


def _beside(key: str, found: StatisticJson) -> str:
    """The value that the number is compared with."""
    if found["value"] is None:
        return ""
    expected = found.get("expected")
    if key == "equal_neighbours" and expected is not None:
        return _("By chance: %(share)s") % {"share": share(expected)}
    low, high = found.get("chance_low"), found.get("chance_high")
    if key == "longest_run" and low is not None and high is not None:
        return _("By chance: %(low)s to %(high)s") % {"low": f"{low:.0f}", "high": f"{high:.0f}"}
    own, others = found.get("own_sd"), found.get("others_sd")
    if key == "spread" and own is not None and others is not None:
        return _("SD %(own)s, others %(others)s") % {"own": plain(own), "others": plain(others)}
    return ""


@never_cache
@require_safe
def annotator(request: HttpRequest, slug: str, annotator: UUID) -> HttpResponse:
    """One annotator on every scale, with explanations of each number."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    who = get_in(campaign, Annotator, annotator)
    view = report_get(campaign=campaign, kind="annotators", actor=request.user)
    found: AnnotatorsReport = view.result or NOTHING
    blocks = {name: block for name, block in found["scales"].items() if who.code in block["voices"]}
    figures = {name: _figure(block["voices"][who.code]) for name, block in blocks.items()}
    pace = {"": found["pace"]} if who.code in found["pace"]["voices"] else {}
    reasons = [block["reason"] for block in found["scales"].values() if block["reason"]]
    rows = _explained(blocks, who.code)
    valued = [row for row in rows if any(cell["value"] is not None for cell in row["cells"])]
    return campaign_page(
        request,
        "scoring/annotator.html",
        campaign=campaign,
        rights=rights,
        view=view,
        annotator=who,
        names=[(name, block["voices"][who.code]["n_ratings"]) for name, block in blocks.items()],
        rows=valued or rows,
        without_value=[row for row in rows if row not in valued] if valued else [],
        pace=_explained(pace, who.code),
        figures=[(name, figure) for name, figure in figures.items() if figure],
        reason=next(iter(reasons), ""),
        excluded=is_excluded(annotator=who),
    )


def _explained(blocks: Mapping[str, AnnotatorsBlock], code: str) -> list[ExplainedRow]:
    """A row per statistic with its explanation and a cell for each block."""
    return [
        {
            "key": one.key,
            "label": translated(one.label),
            "text": translated(one.says),
            "method": next(
                b["methods"][one.key] for b in blocks.values() if one.key in b["methods"]
            ),
            "cells": [
                {**_cell(one, statistics_of(block["voices"][code])), "scale": name}
                for name, block in blocks.items()
            ],
        }
        for one in CATALOGUE
        if any(one.key in block["methods"] for block in blocks.values())
    ]


def _figure(numbers: AnnotatorNumbers) -> TrendFigure | None:
    return trend_figure(statistics_of(numbers).get("trend"), numbers["n_ratings"])

"""Annotator pages: a table of all annotators, and a page for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NotRequired, TypedDict, cast
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Annotator
from annotation.people.annotators import is_excluded
from paraanno.template_filters import minus, translated
from scoring.annotators.pictures import SharedAxis, annotator_pictures, trend_figure
from scoring.chart_files import ChartFile, MultiplesFile, OwnAndOthers, chart_asked
from scoring.figures.screen import svg
from scoring.reports.compute import ReportPage, report_view
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
@report_view("research")
def annotators(page: ReportPage) -> HttpResponse:
    """All annotators on one scale; `sort` names a column, `down` reverses the order."""
    view = page.report("annotators")
    report: AnnotatorsReport = view.result or NOTHING
    names = list(report["scales"])
    scale = page.query.get("scale", "")
    scale = scale if scale in names else next(iter(names), "")
    block = report["scales"].get(scale, NOBODY)
    made = {**block["methods"], **report["pace"]["methods"]}
    columns = [one for one in CATALOGUE if one.column and one.key in made]
    sort, down = page.query.get("sort", "code"), bool(page.query.get("down"))
    rows = _sorted(_rows(report, block), sort, down)
    axis = SharedAxis.of(
        [row["numbers"]["severity"] for row in rows if "severity" in row["numbers"]]
    )
    pictures = annotator_pictures(rows, lambda key: reverse("annotator", args=[page.slug, key]))
    files = {one.key: ChartFile(f"{one.title}: {scale}", [("", one.chart)]) for one in pictures}
    response = chart_asked(page.request, page.slug, files)
    if response is not None:
        return response
    shown = page.paged(rows, ON_A_PAGE)
    for row in shown:
        row["cells"] = [_cell(one, row["numbers"]) for one in columns]
    here = {"scale": scale} | ({"sort": sort} if sort != "code" else {})
    return page.render(
        "scoring/annotators.html",
        view=view,
        scale=scale,
        reason=block["reason"],
        page=shown,
        axis=axis,
        pictures=pictures,
        opened=bool({"sort", "down", "page"} & set(page.query)),
        scales=[(name, urlencode({**here, "scale": name})) for name in names],
        heads=_heads(columns, scale, sort, down),
    )


MOST_MULTIPLES, TALL, TREND = 12, 56, 160  # The last two are pixels.


class SmallMultiple(TypedDict):
    """An annotator with two statistics; the drawing is of points given, beside those of others."""

    key: str
    code: str
    drawing: str
    correlation: StatisticCell
    severity: StatisticCell


def small_multiples(
    report: AnnotatorsReport, scale: str
) -> tuple[list[SmallMultiple], dict[str, MultiplesFile]]:
    """The annotators of a scale, those who follow the others least first, and their file."""
    block = report["scales"].get(scale, NOBODY)
    profiles = block.get("profiles")
    rows = _sorted(_rows(report, block), "correlation", down=False)[:MOST_MULTIPLES]
    if profiles is None or not rows:
        return [], {}
    catalogue = {one.key: one for one in CATALOGUE}
    given = [(row["code"], profiles["voices"][row["code"]]) for row in rows]
    people = [
        OwnAndOthers(code, _shares(one["given"]), _shares(one["others"])) for code, one in given
    ]
    file = MultiplesFile(f"{_('Annotators')}: {scale}", profiles["levels"], people)
    shown: list[SmallMultiple] = [
        {
            "key": row["key"],
            "code": row["code"],
            "drawing": mark_safe(  # noqa: S308 (escaped)
                svg(drawn, _in_words(file.levels, one), height=TALL, bare=True)
            ),
            "correlation": _cell(catalogue["correlation"], row["numbers"]),
            "severity": _cell(catalogue["severity"], row["numbers"]),
        }
        for row, one, drawn in zip(rows, people, file.figures(), strict=True)
    ]
    return shown, {"annotators": file}


def _shares(counts: Sequence[int]) -> list[float]:
    return [n / (sum(counts) or 1) for n in counts]


def _in_words(levels: Sequence[float], one: OwnAndOthers) -> str:
    return "; ".join(
        _("%(value)s: %(own)s %%, others %(others)s %%")
        % {"value": minus(f"{level:g}"), "own": bare(own), "others": bare(rest)}
        for level, own, rest in zip(levels, one.own, one.others, strict=True)
    )


@never_cache
@require_safe
@report_view("research")
def annotator_multiples(page: ReportPage) -> HttpResponse:
    """The annotators as small multiples, as a part of the page of agreement."""
    view = page.report("annotators")
    report: AnnotatorsReport = view.result or NOTHING
    scale = next(iter(report["scales"]), "")
    rows, files = small_multiples(report, scale)
    response = chart_asked(page.request, page.slug, files)
    if response is not None:
        return response
    return page.bare(
        "scoring/_annotator_multiples.html",
        view=view,
        waiting=view.waiting is not None and view.waiting.status != "failed" and not view.report,
        scale=scale,
        rows=rows,
        reason=report["scales"].get(scale, NOBODY)["reason"],
        all=len(report["voices"]),
    )


def _rows(report: AnnotatorsReport, block: AnnotatorsBlock) -> list[AnnotatorRow]:
    """The annotators who judged on the scale, with their statistics on it and their pace."""
    rows: list[AnnotatorRow] = []
    for annotator in report["voices"]:
        own, pace = (part["voices"].get(annotator["code"]) for part in (block, report["pace"]))
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

    defined = [row for row in by_code if value(row) is not None]
    defined.sort(key=lambda row: value(row) or 0.0, reverse=down)
    return defined + [row for row in by_code if value(row) is None]


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
    statistic = numbers.get(key) or none
    ends = [end for end in (statistic.get("ci_low"), statistic.get("ci_high")) if end is not None]
    short = bare if number.written == "share" else written
    more = {
        "key": key,
        "shown": DASH if statistic["value"] is None else written(statistic["value"]),
        "ends": f"[{', '.join(map(short, ends))}]" if ends else "",
        "no_interval": statistic.get("options", {}).get("no_interval", ""),
        "beside": _beside(key, statistic),
    }
    return cast(StatisticCell, {**statistic, **more})


def _beside(key: str, statistic: StatisticJson) -> str:
    """The value that the number is compared with."""
    if statistic["value"] is None:
        return ""
    expected = statistic.get("expected")
    if key == "equal_neighbours" and expected is not None:
        return _("By chance: %(share)s") % {"share": share(expected)}
    low, high = statistic.get("chance_low"), statistic.get("chance_high")
    if key == "longest_run" and low is not None and high is not None:
        return _("By chance: %(low)s to %(high)s") % {"low": f"{low:.0f}", "high": f"{high:.0f}"}
    own, others = statistic.get("own_sd"), statistic.get("others_sd")
    if key == "spread" and own is not None and others is not None:
        return _("SD %(own)s, others %(others)s") % {"own": plain(own), "others": plain(others)}
    return ""


@never_cache
@require_safe
@report_view("research")
def annotator(page: ReportPage, annotator: UUID) -> HttpResponse:
    """One annotator on every scale, with explanations of each number."""
    who = page.row(Annotator, annotator)
    view = page.report("annotators")
    report: AnnotatorsReport = view.result or NOTHING
    blocks = {
        name: block for name, block in report["scales"].items() if who.code in block["voices"]
    }
    figures = {name: _figure(name, block["voices"][who.code]) for name, block in blocks.items()}
    pace = {"": report["pace"]} if who.code in report["pace"]["voices"] else {}
    reasons = [block["reason"] for block in report["scales"].values() if block["reason"]]
    rows = _explained(blocks, who.code)
    valued = [row for row in rows if any(cell["value"] is not None for cell in row["cells"])]
    return page.render(
        "scoring/annotator.html",
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


def _figure(name: str, numbers: AnnotatorNumbers) -> str:
    """The trend on a scale; "" where there is none."""
    figure = trend_figure(statistics_of(numbers).get("trend"), numbers["n_ratings"])
    return mark_safe(svg(figure, name, height=TREND)) if figure else ""  # noqa: S308 (escaped)

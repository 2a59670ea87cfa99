"""The gold standard: text by text, a comparison of its methods, and borderline decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NotRequired, TypedDict

import numpy as np
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.http.campaign_page import CampaignPage
from annotation.models import Campaign, Substitution
from paraanno.template_filters import translated
from scoring.chart_files import chart_asked
from scoring.gold.report import (
    GoldColumn,
    asked_method,
    gold_columns,
    gold_passes,
    gold_values_for,
    method_choices,
)
from scoring.gold.words import borderline, compared, gold_bars, gold_files, near_threshold
from scoring.ratings.choice import Choice
from scoring.ratings.tables import exclusions_in_force, ratings_get, units_in_force
from scoring.reports.compute import ReportPage, ReportView, report_view
from scoring.stats.gold.compare import GoldMethod
from scoring.stats.gold.values import GoldReport, GoldValuesReport, ValueColumn
from scoring.stats.resampling import Threshold

PER_PAGE = 50
SHOWS = ("texts", "methods", "threshold")


class OneGold(TypedDict):
    """The gold of one text by the chosen method."""

    value: float | None
    n: int
    spread: float | None
    low: float | None
    high: float | None
    confidence: float | None
    source: str
    reason: str


class GoldCell(TypedDict):
    """A text on one scale; `by` where another method than the mean was asked for."""

    mean: float | None
    median: float | None
    n: int
    spread: float | None
    imported: bool
    by: NotRequired[OneGold]


# In this form because `pass` is a word of Python.
TextRow = TypedDict(
    "TextRow",
    {
        "text": Substitution,
        "cells": list[GoldCell],
        "pass": bool | None,
        "decision": NotRequired[OneGold],
    },
)


@require_GET
@report_view()
def gold_page(page: ReportPage) -> HttpResponse:
    """The gold page for any method; methods that need all ratings come from a stored report, so
    that no page waits."""
    show = page.query.get("show", "texts")
    choice = Choice.from_json({"method": asked_method(page.query)})
    method = GoldMethod.parse(choice.method)
    view: ReportView | None = None
    if show in SHOWS[1:]:
        view = page.report("gold")
        shown = _overview(page.campaign, view, method, show)
    else:
        if method.needs_all:
            view = page.report("gold-values", choice)
        shown = _texts(page, choice, view)
    return page.render(
        "scoring/gold.html",
        view=view,
        show=show if show in SHOWS else "texts",
        method=method,
        method_text=choice.method,
        methods=method_choices(),
        method_name=translated(method.entry.label),
        explained=translated(method.entry.says),
        downloads=[("csv", _("Download CSV")), ("jsonl", _("Download JSON Lines"))],
        plain=choice.method == "mean",
        decides=method.decides,
        scales=list(page.campaign.scales.order_by("position")),
        **shown,
    )


@require_GET
@report_view()
def gold_picture(page: ReportPage) -> HttpResponse:
    """The distribution of gold by the mean on each scale, as a fragment that the page fetches."""
    view = page.report("gold")
    report: GoldReport | None = view.result
    limits = {
        scale.name: Threshold(scale.threshold, scale.higher_is_better)
        for scale in page.campaign.scales.all()
        if scale.threshold is not None
    }
    mean = report["methods"].get("mean") if report else None
    pictures = gold_bars(mean["columns"], limits) if mean else []
    response = chart_asked(page.request, page.slug, gold_files(pictures))
    if response is not None:
        return response
    near = near_threshold(page.campaign, report) if report else []
    parts = {part["name"]: part for part, _rows in near}
    return page.bare(
        "scoring/_gold_picture.html",
        pictures=[replace(one, part=parts.get(one.name)) for one in pictures],
        near=near,
        view=view,
        waiting=view.report is None
        and view.waiting is not None
        and view.waiting.status != "failed",
    )


def _overview(
    campaign: Campaign, view: ReportView, method: GoldMethod, show: str
) -> Mapping[str, Any]:
    none: GoldReport = {
        "methods": {},
        "comparison": {"columns": {}, "passes": []},
        "straddling": {},
    }
    report: GoldReport = view.result or none
    if show == "methods":
        return {"compared": compared(report, method.name)}
    return {"borderline": borderline(campaign, report)}


def _texts(page: CampaignPage, choice: Choice, view: ReportView | None) -> Mapping[str, Any]:
    units = units_in_force(
        campaign=page.campaign, choice=Choice(), out=exclusions_in_force(campaign=page.campaign)
    )
    texts = units.select_related("item__phrase").order_by("item__position", "pk")
    part = page.paged(texts, PER_PAGE)
    shown = list(part.object_list)
    by_method: GoldValuesReport | None
    none: GoldValuesReport = {
        "method": choice.method,
        "units": [],
        "columns": {},
        "passes": None,
    }
    if view is not None:
        by_method = view.result or none
    elif choice.method != "mean":
        items = sorted({text.item_id for text in shown})
        by_method = gold_values_for(campaign=page.campaign, choice=choice, items=items)
    else:
        by_method = None
    names, rows = _rows(page.campaign, shown, by_method)
    reasons = [cell["by"]["reason"] for row in rows for cell in row["cells"] if "by" in cell]
    reasons += [row["decision"]["reason"] for row in rows if "decision" in row]
    return {
        "page": part,
        "rows": rows,
        "names": names,
        "reasons": sorted({reason for reason in reasons if reason}),
    }


def _rows(
    campaign: Campaign, texts: list[Substitution], by_method: GoldValuesReport | None
) -> tuple[list[str], list[TextRow]]:
    """Mean, median, n and spread of the page's texts, and the values of another method if
    chosen."""
    items = sorted({text.item_id for text in texts})
    ratings = ratings_get(campaign=campaign, items=items)
    columns = gold_columns(campaign=campaign, ratings=ratings, items=items)
    passed = gold_passes(columns=columns, ratings=ratings)
    if by_method is not None and GoldMethod.parse(by_method["method"]).decides:
        columns = {}  # The method gives no values on a scale.
    at = ratings.position(np.array([text.pk for text in texts], dtype=np.int64)).tolist()
    there = {pk: place for place, pk in enumerate(by_method["units"] if by_method else ())}
    rows: list[TextRow] = []
    for text, unit in zip(texts, at, strict=True):
        if unit < 0:
            continue
        place = there.get(text.pk)
        cells = [_cell(column, unit) for column in columns.values()]
        row: TextRow = {"text": text, "cells": cells, "pass": passed[unit]}
        if by_method is not None:
            for name, cell in zip(columns, cells, strict=True):
                cell["by"] = _one(by_method["columns"].get(name), place)
            row["decision"] = decision = _one(by_method["passes"], place)
            row["pass"] = _decision(decision["value"])
        rows.append(row)
    return list(columns), rows


def _cell(column: GoldColumn, unit: int) -> GoldCell:
    """A value, or None if missing, which the template shows as a dash."""
    mean, spread = float(column.mean[unit]), float(column.spread[unit])
    has_value = not np.isnan(mean)
    return {
        "mean": mean if has_value else None,
        "median": float(column.median[unit]) if has_value else None,
        "n": int(column.n[unit]),
        "spread": None if np.isnan(spread) else spread,
        "imported": bool(column.imported[unit]),
    }


def _one(column: ValueColumn | None, place: int | None) -> OneGold:
    """The gold of one text as Python values."""
    if column is None or place is None:
        return {
            "value": None,
            "n": 0,
            "spread": None,
            "low": None,
            "high": None,
            "confidence": None,
            "source": "judged",
            "reason": "",
        }
    return {
        "value": column["value"][place],
        "n": column["n"][place],
        "spread": column["spread"][place],
        "low": column["low"][place],
        "high": column["high"][place],
        "confidence": column["confidence"][place],
        "source": column["sources"][column["source"][place]],
        "reason": column["reasons"][column["reason"][place]],
    }


def _decision(value: float | None) -> bool | None:
    return None if value is None else value > 0.5

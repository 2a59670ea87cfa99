"""The gold standard: text by text, its methods side by side, and what hangs on a thread."""

from __future__ import annotations

from typing import Any

import numpy as np
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from annotation.models import Campaign, Substitution
from annotation.selectors.access import campaign_get
from annotation.views.pages import campaign_page
from scoring.selectors.gold_reports import gold_values_for
from scoring.selectors.outcomes import GoldColumn, gold_columns, gold_passes
from scoring.selectors.ratings import Choice, exclusions_in_force, ratings_get, units_in_force
from scoring.services.reports import ReportView, report_get
from scoring.stats.gold_table import DECISION_METHODS, GoldMethod
from scoring.views.gold_shown import compared, hanging
from scoring.views.gold_words import EXPLAINED, NAMES, asked_method, method_choices

PER_PAGE = 50
SHOWS = ("texts", "methods", "threshold")


@require_GET
def gold_page(request: HttpRequest, slug: str) -> HttpResponse:
    """By any method; what needs all ratings comes from a report, so that no page waits for it."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    show = request.GET.get("show", "texts")
    choice = Choice.from_json({"method": asked_method(request.GET)})
    method = GoldMethod.parse(choice.method)
    view: ReportView | None = None
    if show in SHOWS[1:]:
        view = report_get(campaign=campaign, kind="gold", actor=request.user)
        shown = _overview(campaign, view, method, show)
    else:
        if method.needs_all:
            view = report_get(
                campaign=campaign, kind="gold-values", actor=request.user, choice=choice
            )
        shown = _texts(request, campaign, choice, view)
    return campaign_page(
        request, "scoring/gold.html", campaign=campaign, rights=rights, view=view,
        show=show if show in SHOWS else "texts", method=method, method_text=choice.method,
        methods=method_choices(), method_name=NAMES[method.name],
        explained=EXPLAINED[method.name], plain=choice.method == "mean",
        decides=method.name in DECISION_METHODS,
        scales=list(campaign.scales.order_by("position")), **shown,
    )  # fmt: skip


def _overview(
    campaign: Campaign, view: ReportView, method: GoldMethod, show: str
) -> dict[str, Any]:
    found = view.result or {}
    if show == "methods":
        return {"compared": compared(found, method.name)}
    return {"hanging": hanging(campaign, found)}


def _texts(
    request: HttpRequest, campaign: Campaign, choice: Choice, view: ReportView | None
) -> dict[str, Any]:
    units = units_in_force(
        campaign=campaign, choice=Choice(), out=exclusions_in_force(campaign=campaign)
    )
    texts = units.select_related("item__phrase").order_by("item__position", "pk")
    page = Paginator(texts, PER_PAGE).get_page(request.GET.get("page"))
    shown = list(page.object_list)
    if view is not None:
        by_method = view.result or {
            "method": choice.method, "units": [], "columns": {}, "passes": None,
        }  # fmt: skip
    elif choice.method != "mean":
        items = sorted({text.item_id for text in shown})
        by_method = gold_values_for(campaign=campaign, choice=choice, items=items)
    else:
        by_method = None
    names, rows = _rows(campaign, shown, by_method)
    said = [cell["by"]["reason"] for row in rows for cell in row["cells"] if "by" in cell]
    said += [row["decision"]["reason"] for row in rows if "decision" in row]
    return {
        "page": page, "rows": rows, "names": names,
        "reasons": sorted({reason for reason in said if reason}),
    }  # fmt: skip


def _rows(
    campaign: Campaign, texts: list[Substitution], by_method: dict[str, Any] | None
) -> tuple[list[str], list[dict[str, Any]]]:
    """Mean, median, n and spread of the page's texts; with another method its values beside."""
    items = sorted({text.item_id for text in texts})
    ratings = ratings_get(campaign=campaign, items=items)
    columns = gold_columns(campaign=campaign, ratings=ratings, items=items)
    passed = gold_passes(columns=columns, ratings=ratings)
    if by_method is not None and GoldMethod.parse(by_method["method"]).name in DECISION_METHODS:
        columns = {}  # Such a method gives no value on a scale.
    at = ratings.position(np.array([text.pk for text in texts], dtype=np.int64)).tolist()
    there = {pk: place for place, pk in enumerate((by_method or {}).get("units", []))}
    rows = []
    for text, unit in zip(texts, at, strict=True):
        if unit < 0:
            continue
        place = there.get(text.pk)
        cells = [
            {**_cell(column, unit), **_by_method(by_method, name, place)}
            for name, column in columns.items()
        ]
        row = {"text": text, "cells": cells, "pass": passed[unit]}
        if by_method is not None:
            decision = _one(by_method["passes"], place)
            row |= {"pass": _decision(decision["value"]), "decision": decision}
        rows.append(row)
    return list(columns), rows


def _cell(column: GoldColumn, unit: int) -> dict[str, Any]:
    """None where there is no value; a template shows that as a dash."""
    mean, spread = float(column.mean[unit]), float(column.spread[unit])
    known = not np.isnan(mean)
    return {
        "mean": mean if known else None,
        "median": float(column.median[unit]) if known else None,
        "n": int(column.n[unit]),
        "spread": None if np.isnan(spread) else spread,
        "imported": bool(column.imported[unit]),
    }


def _by_method(found: dict[str, Any] | None, name: str, place: int | None) -> dict[str, Any]:
    if found is None:
        return {}
    return {"by": _one(found["columns"].get(name), place)}


def _one(column: dict[str, Any] | None, place: int | None) -> dict[str, Any]:
    """The gold of one text as plain values."""
    if column is None or place is None:
        nothing = dict.fromkeys(("value", "spread", "low", "high", "confidence"))
        return {**nothing, "n": 0, "source": "judged", "reason": ""}
    parts = ("value", "n", "spread", "low", "high", "confidence")
    return {
        **{part: column[part][place] for part in parts},
        "source": column["sources"][column["source"][place]],
        "reason": column["reasons"][column["reason"][place]],
    }


def _decision(value: float | None) -> bool | None:
    return None if value is None else value > 0.5

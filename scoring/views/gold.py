"""The gold standard, text by text."""

from __future__ import annotations

from typing import Any

import numpy as np
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from annotation.models import Campaign, Substitution
from annotation.selectors.access import campaign_get
from annotation.views.pages import campaign_page
from scoring.selectors.outcomes import GoldColumn, gold_columns, gold_passes
from scoring.selectors.ratings import Choice, exclusions_in_force, ratings_get, units_in_force

PER_PAGE = 50


@require_GET
def gold_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Mean, median, n and spread of every text on every scale; only the page's are computed."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    units = units_in_force(
        campaign=campaign, choice=Choice(), out=exclusions_in_force(campaign=campaign)
    )
    texts = units.select_related("item__phrase").order_by("item__position", "pk")
    page = Paginator(texts, PER_PAGE).get_page(request.GET.get("page"))
    names, rows = _rows(campaign, list(page.object_list))
    return campaign_page(
        request, "scoring/gold.html", campaign=campaign, rights=rights, page=page, rows=rows,
        names=names, scales=list(campaign.scales.order_by("position")),
    )  # fmt: skip


def _rows(campaign: Campaign, texts: list[Substitution]) -> tuple[list[str], list[dict[str, Any]]]:
    items = sorted({text.item_id for text in texts})
    ratings = ratings_get(campaign=campaign, items=items)
    columns = gold_columns(campaign=campaign, ratings=ratings, items=items)
    passed = gold_passes(columns=columns, ratings=ratings)
    at = ratings.position(np.array([text.pk for text in texts], dtype=np.int64)).tolist()
    rows = [
        {
            "text": text,
            "cells": [_cell(column, unit) for column in columns.values()],
            "pass": passed[unit],
        }
        for text, unit in zip(texts, at, strict=True)
        if unit >= 0
    ]
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

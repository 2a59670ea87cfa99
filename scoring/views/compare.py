"""Two agreement reports side by side."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from annotation.models import Campaign
from annotation.selectors.access import campaign_get, campaigns_read_by
from annotation.views.pages import campaign_page
from scoring.forms import ChoiceForm
from scoring.services.reports import ReportView, report_get
from scoring.views.agreement_words import STATISTICS


@require_GET
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Of one campaign, or of two on the texts that both have.

    `a-NAME` and `b-NAME` choose the judgments of each side, `other` the campaign of the second.
    """
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    asked = request.GET.get("other", "")
    other = campaign
    if asked and asked != slug:
        other, _rights = campaign_get(user=request.user, slug=asked, right="read")
    sides = [_side(request, "a", campaign, other), _side(request, "b", other, campaign)]
    others = campaigns_read_by(user=request.user).exclude(pk=campaign.pk).order_by("name")
    return campaign_page(
        request, "scoring/compare.html", campaign=campaign, rights=rights, sides=sides,
        other=other, others=others, scales=_scales(*(side["view"] for side in sides)),
    )  # fmt: skip


def _side(request: HttpRequest, name: str, one: Campaign, beside: Campaign) -> dict[str, Any]:
    form = ChoiceForm(request.GET, campaign=one, kind="agreement", prefix=name)
    more = {"shared_with": beside.slug} if one != beside else {}
    view = report_get(
        campaign=one, kind="agreement", actor=request.user, choice=form.choice(**more)
    )
    return {"name": name.upper(), "campaign": one, "form": form, "view": view}


def _scales(a: ReportView, b: ReportView) -> list[dict[str, Any]]:
    """The blocks of both reports, scale by scale; None where a side has no such scale."""
    left, right = ((view.result or {"scales": {}})["scales"] for view in (a, b))
    return [
        {"name": name, "blocks": blocks, "rows": _rows(*blocks)}
        for name in dict.fromkeys([*left, *right])
        if (blocks := (left.get(name), right.get(name)))
    ]


def _rows(a: dict[str, Any] | None, b: dict[str, Any] | None) -> list[dict[str, Any]]:
    rows = []
    for key, label, _text in STATISTICS:
        cells = [block.get(key) if block else None for block in (a, b)]
        values = [cell["value"] for cell in cells if cell and cell["value"] is not None]
        difference = values[1] - values[0] if len(values) == len(cells) else None
        rows.append({"label": label, "cells": cells, "difference": difference})
    return rows

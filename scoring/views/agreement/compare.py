"""Two agreement reports side by side."""

from __future__ import annotations

from typing import TypedDict

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from annotation.models import Campaign
from annotation.selectors.access import campaign_get, campaigns_read_by
from annotation.views.pages import campaign_page
from paraanno.translated import translated
from scoring.forms.choice import ChoiceForm
from scoring.services.reports.compute import ReportView, report_get
from scoring.stats.agreement.catalogue import coefficients
from scoring.stats.agreement.json_types import AgreementReport, ScaleBlock, estimates_of
from scoring.stats.estimate import EstimateJson


class Side(TypedDict):
    """One of the two reports, as the page shows it."""

    name: str
    campaign: Campaign
    form: ChoiceForm
    view: ReportView


class ComparedRow(TypedDict):
    """A coefficient on both sides; a cell is None where a side lacks it."""

    label: str
    cells: list[EstimateJson | None]
    difference: float | None


class ComparedScale(TypedDict):
    """A scale on both sides."""

    name: str
    blocks: tuple[ScaleBlock | None, ScaleBlock | None]
    rows: list[ComparedRow]


@require_GET
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Compare two reports of one campaign, or of two campaigns on their shared texts.

    `a-NAME` and `b-NAME` select the judgments of each side, `other` the campaign of the second.
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


def _side(request: HttpRequest, name: str, one: Campaign, beside: Campaign) -> Side:
    form = ChoiceForm(request.GET, campaign=one, kind="agreement", prefix=name)
    more = {"shared_with": beside.slug} if one != beside else {}
    view = report_get(
        campaign=one, kind="agreement", actor=request.user, choice=form.choice(**more)
    )
    return {"name": name.upper(), "campaign": one, "form": form, "view": view}


def _scales(a: ReportView, b: ReportView) -> list[ComparedScale]:
    """The blocks of both reports by scale; None if a side has no such scale."""
    left, right = (_blocks(view) for view in (a, b))
    return [
        {"name": name, "blocks": blocks, "rows": _rows(*blocks)}
        for name in dict.fromkeys([*left, *right])
        if (blocks := (left.get(name), right.get(name)))
    ]


def _blocks(view: ReportView) -> dict[str, ScaleBlock]:
    none: AgreementReport = {"scales": {}}
    report: AgreementReport = view.result or none
    return report["scales"]


def _rows(a: ScaleBlock | None, b: ScaleBlock | None) -> list[ComparedRow]:
    rows: list[ComparedRow] = []
    sides = [estimates_of(block) if block else {} for block in (a, b)]
    for key, known in coefficients().items():
        cells = [side.get(key) for side in sides]
        values = [cell["value"] for cell in cells if cell and cell["value"] is not None]
        difference = values[1] - values[0] if len(values) == len(cells) else None
        rows.append({"label": translated(known.label), "cells": cells, "difference": difference})
    return rows

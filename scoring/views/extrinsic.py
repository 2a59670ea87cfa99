"""Extrinsic evaluation of a campaign's systems: asking for one, its page, and its tables."""

from __future__ import annotations

import io
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from annotation.errors import Invalid, NotFound
from annotation.exporters import Column, write_rows
from annotation.forms.uploads import check_room
from annotation.selectors.access import campaign_get
from annotation.views.pages import campaign_page
from paraanno.plain.sentence import revived
from paraanno.translated import translated
from scoring.building.recipes.registry import recipe
from scoring.extrinsic.nets import NETS, SIZES, has_torch, seconds
from scoring.paper.latex import escape as tex
from scoring.paper.latex import latex_table, number
from scoring.presenters import extrinsic as shown
from scoring.selectors.builds import build_row, builds_for, recipe_offer
from scoring.selectors.built.extrinsic import (
    RECIPE,
    extrinsic_builds,
    extrinsic_get,
    extrinsic_report,
    outcomes_file,
    outcomes_fit,
)
from scoring.selectors.built.generated import has_own_texts
from scoring.services.builds.extrinsic import extrinsic_start, outcomes_import
from scoring.services.builds.generated import MOST_BYTES
from scoring.views.parts import (
    asked_again,
    build_of_texts,
    form_shown,
    options_folded,
    sources_shown,
)

FIRST = ("original", "systems", "label", "classifiers", "metrics")
TYPES = {"csv": "text/csv", "tex": "application/x-tex"}
OUTCOMES = {
    "correct": gettext_lazy("right or wrong"),
    "p_true": gettext_lazy("probability of the true class"),
    "change": gettext_lazy("change of that probability from the original"),
}
_EXAMPLE = 2500  # Training texts, of which the form tells how long nets take.


@require_http_methods(["GET", "POST"])
def extrinsic(request: HttpRequest, slug: str) -> HttpResponse:
    """The form, and evaluations made before; a POST starts one."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    problem, again = "", asked_again(request, campaign, extrinsic_get)
    if request.method == "POST":
        builds_for(user=request.user, add=True)
        check_room(request)
        try:
            build = build_of_texts(request, campaign, extrinsic_start)
        except Invalid as refusal:
            problem = refusal.message
        else:
            return redirect("extrinsic-build", slug, build.key)
    offer = dict(recipe_offer(user=request.user, recipe=recipe(RECIPE), campaign=campaign).inputs)
    has_own = has_own_texts(campaign=campaign)
    return campaign_page(
        request, "scoring/extrinsic.html", campaign=campaign, rights=rights,
        builds=extrinsic_builds(user=request.user, campaign=campaign), texts=offer["texts"],
        vectors=offer["vectors"],
        has_own=has_own, nets=_nets(), torch=has_torch(), example=_EXAMPLE,
        **sources_shown(request, again, has_own=has_own),
        **options_folded(request, recipe(RECIPE), FIRST, again),
        **form_shown(request, campaign, problem, MOST_BYTES),
    )  # fmt: skip


def _nets() -> list[tuple[str, list[float]]]:
    """Minutes that each net takes for one training text, by size."""
    return [(net, [seconds(net, size, _EXAMPLE) / 60 for size in SIZES]) for net in NETS]


@require_http_methods(["GET", "POST"])
def extrinsic_build(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """How far it is, polled until it is done; then its tables. A POST puts the outcomes beside the
    campaign's metrics."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    build = extrinsic_get(user=request.user, campaign=campaign, key=key)
    if request.method == "POST":
        done = outcomes_import(campaign=campaign, build=build, actor=request.user)
        labels = ", ".join(run.label for run in done.runs)
        messages.success(
            request, _("They are now listed with the metrics: %(names)s.") % {"names": labels}
        )
        return redirect("correlation", slug)
    report = extrinsic_report(build=build)
    context = _context(request, report) if report else {}
    return campaign_page(
        request, "scoring/extrinsic_build.html", campaign=campaign, rights=rights, build=build,
        row=build_row(build=build, user=request.user), report=report,
        fits=bool(report) and outcomes_fit(campaign=campaign, build=build),
        told=translated(build.said).splitlines(), **context,
    )  # fmt: skip


def _context(request: HttpRequest, report: dict[str, Any]) -> dict[str, Any]:
    metrics = shown.metrics_of(report)
    outcome = request.GET.get("outcome", "p_true")
    metric = request.GET.get("metric", metrics[0] if metrics else "")
    if outcome not in OUTCOMES or (metrics and metric not in metrics):
        raise NotFound(_("There is no such page."))
    return {
        "columns": report["columns"],
        "axis": shown.axis(report),
        "trained": shown.accuracy_rows(report, "accuracy"),
        "tested": shown.accuracy_rows(report, "on_paraphrases"),
        "metrics": metrics,
        "metric": metric,
        "outcomes": OUTCOMES.items(),
        "outcome": outcome,
        "cells": shown.cells_of(report, metric, outcome),
        "lengths": shown.lengths_of(report),
        "systems": [one for one in report.get("intrinsic", {}).get("systems", ())
                    if one["metric"] == metric],
        "tables": shown.tables_of(report),
        "warnings": [translated(one["said"]) for one in revived(report["warnings"])],
        "forms": tuple(TYPES),
    }  # fmt: skip


@require_GET
def extrinsic_table(
    request: HttpRequest, slug: str, key: UUID, name: str, form: str
) -> HttpResponseBase:
    """A table as CSV with all digits or as LaTeX; `outcomes` as CSV has every test text."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    build = extrinsic_get(user=request.user, campaign=campaign, key=key)
    if (name, form) == ("outcomes", "csv"):
        return FileResponse(
            outcomes_file(build=build).open("rb"), as_attachment=True,
            filename=f"{slug}-outcomes.csv", content_type="text/csv; charset=utf-8",
        )  # fmt: skip
    report = extrinsic_report(build=build)
    table = shown.tables_of(report).get(name) if report else None
    if table is None or form not in TYPES:
        raise NotFound(_("There is no such table."))
    content = _csv(table) if form == "csv" else _latex(table, slug)
    headers = {"Content-Disposition": content_disposition_header(True, f"{slug}-{name}.{form}")}
    return HttpResponse(content, content_type=f"{TYPES[form]}; charset=utf-8", headers=headers)


def _csv(table: shown.Table) -> bytes:
    stream = io.BytesIO()
    columns = [
        Column(name, "text" if isinstance(table.rows[0][name], str) else "number")
        for name in table.columns
    ]
    write_rows(iter(table.rows), stream, columns, format="csv")
    return stream.getvalue()


def _latex(table: shown.Table, slug: str) -> bytes:
    header = [name.replace("_", " ") for name in table.columns]
    rows = [[tex(_cell(row[name])) for name in table.columns] for row in table.rows]
    caption = f"Extrinsic evaluation: {table.name}"
    text = latex_table(
        header, rows, caption=caption, label=f"tab:extrinsic-{table.name}",
        source=f"{slug}, extrinsic evaluation",
    )  # fmt: skip
    return text.encode()


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) else number(value, 3)

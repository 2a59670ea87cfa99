"""Pages of what is built: ratings of tables, generated paraphrases, extrinsic evaluations with
their rows of tables and files.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from annotation.errors import NotFound
from annotation.exporters.columns import Column
from annotation.exporters.writers import write_rows
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.importing.report import ImportReport
from annotation.importing.views import added
from annotation.models import ImportJob
from paraanno.common.places import missing_extra
from paraanno.common.texts import revived
from paraanno.template_filters import translated
from scoring.building.recipes.extrinsic import WITHOUT_VECTORS
from scoring.building.recipes.paraphrases import COLUMNS
from scoring.building.recipes.recipe import CLASSIFIERS, recipe
from scoring.builds.forms import (
    OPTION,
    build_started,
    import_shown,
    options_folded,
    options_shown,
    texts_form,
)
from scoring.builds.queries import (
    EXTRINSIC,
    GENERATED,
    build_row,
    extrinsic_report,
    generated,
    outcomes_file,
    outcomes_fit,
    rating_figure,
    rating_get,
)
from scoring.builds.services import (
    extrinsic_start,
    outcomes_import,
    own_options,
    paraphrases_import,
    paraphrases_start,
)
from scoring.extrinsic.classifiers import NETS, SIZES, has_torch, seconds
from scoring.figures.paper import draw
from scoring.models import Build
from scoring.paper.tables import escape as tex
from scoring.paper.tables import latex_table, number
from scoring.resources.queries import plain_file, resource_row

Report = Mapping[str, Any]
STARS = ((0.01, "**"), (0.05, "*"))


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a file: names of columns, and rows of text, numbers or nothing."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]


def axis(report: Report) -> dict[str, float]:
    """Where the drawings of accuracies begin and end: tenths around all intervals."""
    cells = [
        cell
        for part in ("accuracy", "on_paraphrases", "lines")
        for row in report.get(part, {}).values()
        for cell in row.values()
    ]
    lows = [_or(cell["ci_low"], cell["value"]) for cell in cells]
    highs = [_or(cell["ci_high"], cell["value"]) for cell in cells]
    least, most = int(10 * min(lows)) / 10, -int(-10 * max(highs) // 1) / 10
    return {"least": max(0.0, least), "most": min(1.0, max(most, least + 0.1))}


def accuracy_rows(report: Report, part: str) -> list[dict[str, Any]]:
    """Rows of `accuracy` or `on_paraphrases`: a classifier, and a cell for each column of texts,
    with mean and spread over the seeds if there are several."""
    repeats = report.get("repeats", {}) if part == "accuracy" else {}
    return [
        {
            "classifier": name,
            "cells": [
                {"column": column, **cell, "spread": repeats.get(name, {}).get(column)}
                for column, cell in row.items()
            ],
            "lines": report.get("lines", {}).get(name, {}) if part == "accuracy" else {},
        }
        for name, row in report[part].items()
    ]


def cells_of(report: Report, metric: str, outcome: str) -> list[dict[str, Any]]:
    """The correlations of a metric with an outcome, a row for each classifier and system."""
    return [
        {
            **cell,
            "stars": stars(cell["spearman"].get("p_value")),
            "pearson_stars": stars(cell["pearson"].get("p_value")),
        }
        for cell in report.get("intrinsic", {}).get("cells", ())
        if cell["metric"] == metric and cell["outcome"] == outcome
    ]


def metrics_of(report: Report) -> list[str]:
    """The metrics of a report, in order."""
    return list(
        dict.fromkeys(one["metric"] for one in report.get("intrinsic", {}).get("cells", ()))
    )


def lengths_of(report: Report) -> list[Mapping[str, Any]]:
    """Metrics that are mostly the length of the text, with the system."""
    return [one for one in report.get("intrinsic", {}).get("length", ()) if one["mostly_length"]]


def stars(p_value: float | None) -> str:
    """The paper's marks: * below .05, ** below .01, of one test alone."""
    if p_value is None:
        return ""
    return next((mark for level, mark in STARS if p_value < level), "")


def tables_of(report: Report) -> dict[str, Table]:
    """The tables of the files, by name."""
    accuracy = tuple(
        {"experiment": part, "classifier": name, "texts": column, **cell}
        for part in ("accuracy", "on_paraphrases")
        for name, row in report[part].items()
        for column, cell in row.items()
    )
    correlation = tuple(
        {
            "metric": cell["metric"],
            "system": cell["system"],
            "classifier": cell["classifier"],
            "outcome": cell["outcome"],
            **_estimate("pearson", cell),
            **_estimate("spearman", cell),
            "given_length": cell["given_length"]["value"],
            "given_length_p": cell["given_length"]["p_value"],
            "n": cell["given_length"]["n"],
            "coverage": cell["coverage"],
        }
        for cell in report.get("intrinsic", {}).get("cells", ())
    )
    lines = tuple(
        {"classifier": name, "line": line, **cell}
        for name, row in report.get("lines", {}).items()
        for line, cell in row.items()
    )
    tests = tuple(report["comparisons"])
    return {
        name: Table(name, tuple(rows[0]), rows)
        for name, rows in (
            ("accuracy", accuracy),
            ("correlation", correlation),
            ("tests", tests),
            ("lines", lines),
        )
        if rows
    }


def _estimate(name: str, cell: Mapping[str, Any]) -> dict[str, Any]:
    estimate = cell[name]
    return {
        name: estimate["value"],
        f"{name}_low": estimate.get("ci_low"),
        f"{name}_high": estimate.get("ci_high"),
        f"{name}_p": estimate.get("p_value"),
        f"{name}_holm": cell[f"{name}_holm"],
    }


def _or(value: float | None, other: float) -> float:
    return other if value is None else value


# Pages.


# The rating of a paraphrase table: its page, its table and its figure.


FORMS = {"csv": "text/csv", "tex": "application/x-tex", "svg": "image/svg+xml"}
_SHOWN = ("least", "precision", "recall", "phrases_with_paraphrases", "phrases_with_gold")


@require_GET
def rating(request: HttpRequest, key: str) -> HttpResponse:
    """What the table is worth by minimum probability."""
    resource, report = rating_get(user=request.user, key=key)
    first = report["rows"][0]
    return render(
        request,
        "scoring/parametric.html",
        {
            "resource": resource,
            "report": report,
            "built": resource_row(resource=resource, user=request.user).built,
            "drawn": first["precision"] is not None and first["recall"] is not None,
        },
    )


@require_GET
def rating_file(request: HttpRequest, key: str, form: str) -> HttpResponse:
    """The table as CSV with all digits or as LaTeX; the figure as SVG."""
    resource, report = rating_get(user=request.user, key=key)
    if form not in FORMS:
        raise NotFound(_("There is no such table format."))
    plain = plain_file(resource=resource)
    if form == "csv" and plain is not None:
        content = plain.read_bytes()
    elif form == "tex":
        content = _latex(report, resource.name).encode()
    else:
        content = draw(rating_figure(report), "svg")
    # The figure is shown on the page too.
    headers = {"Content-Disposition": content_disposition_header(form != "svg", f"rating.{form}")}
    return HttpResponse(content, content_type=FORMS[form], headers=headers)


def _latex(report: Any, name: str) -> str:
    rows = [[_cell(row[column]) for column in _SHOWN] for row in report["rows"]]
    header = [column.replace("_", " ") for column in COLUMNS if column in _SHOWN]
    return latex_table(
        header,
        rows,
        caption="ParaMetric: lower-bound precision and relative recall",
        label="tab:parametric",
        source=name,
    )


def _cell(value: float | str | None) -> str:
    return str(value) if isinstance(value, int | str) else number(value, 3)


# Generating paraphrases for a campaign: of which texts, what came of it, and its import.


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def generate(page: CampaignPage) -> HttpResponse:
    """The form, and what was generated before; a POST generates."""
    build, problem = build_started(page, paraphrases_start)
    if build is not None:
        return page.go("generate-build", build.key)
    again, form = texts_form(page, GENERATED, problem)
    options = options_shown(page.request, recipe(GENERATED.name), OPTION, again)
    return page.render("scoring/generate.html", options=options, **form)


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def generate_build(page: CampaignPage, key: UUID) -> HttpResponse:
    """How far it is, and the result, polled until then; a POST imports it."""
    build = GENERATED.get(user=page.user, campaign=page.campaign, key=key)
    if page.sent:
        made = paraphrases_import(campaign=page.campaign, build=build, actor=page.user)
        if isinstance(made, ImportJob):
            return page.go("import-job", made.key)
        if made is not None and made.ok:
            new = added(made.counts)
            return page.done(_("Imported: %(new)s.") % {"new": new or _("nothing new")}, "import")
        return _page(page, build, made)
    return _page(page, build, None)


def _page(page: CampaignPage, build: Build, report: ImportReport | None) -> HttpResponse:
    output = generated(build=build)
    if output is not None and report is None:
        dry = paraphrases_import(campaign=page.campaign, build=build, actor=page.user, dry_run=True)
        report = dry if isinstance(dry, ImportReport) else None
    warnings = output.figures["warnings"] if output else ()
    return page.render(
        "scoring/generate_build.html",
        build=build,
        row=build_row(build=build, user=page.user),
        found=output,
        shown=output.shown() if output else (),
        shares=[(name, n, 100 * share) for name, n, share in output.shares()] if output else (),
        coverage=100 * float(output.figures["coverage"]) if output else 0,
        warnings=[translated(one["said"]) for one in warnings],
        anything=report is None or any(report.counts.values()),
        **import_shown(page.request, build, report),
    )


# Extrinsic evaluation of a campaign's systems: asking for one, its page, and its tables.


FIRST = ("original", "systems", "label", "classifiers", "metrics")
TYPES = {"csv": "text/csv", "tex": "application/x-tex"}
OUTCOMES = {
    "correct": gettext_lazy("right or wrong"),
    "p_true": gettext_lazy("probability of the true class"),
    "change": gettext_lazy("change of that probability from the original"),
}
_EXAMPLE = 2500  # Training texts, of which the form tells how long nets take.


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def extrinsic(page: CampaignPage) -> HttpResponse:
    """The form, and evaluations made before; a POST starts one."""
    build, problem = build_started(page, extrinsic_start)
    if build is not None:
        return page.go("extrinsic-build", build.key)
    again, form = texts_form(page, EXTRINSIC, problem)
    proposed = own_options(campaign=page.campaign) if form["has_own"] else {}
    if not form["vectors"]:
        proposed["metrics"] = WITHOUT_VECTORS
    return page.render(
        "scoring/extrinsic.html",
        nets=_nets(),
        torch=has_torch(),
        missing=translated(missing_extra(*CLASSIFIERS) or ""),
        example=_EXAMPLE,
        **options_folded(page.request, recipe(EXTRINSIC.name), FIRST, again, proposed),
        **form,
    )


def _nets() -> list[tuple[str, list[float]]]:
    """Minutes that each net takes for one training text, by size."""
    return [(net, [seconds(net, size, _EXAMPLE) / 60 for size in SIZES]) for net in NETS]


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def extrinsic_build(page: CampaignPage, key: UUID) -> HttpResponse:
    """How far it is, polled until it is done; then its tables. A POST puts the outcomes beside the
    campaign's metrics."""
    build = EXTRINSIC.get(user=page.user, campaign=page.campaign, key=key)
    if page.sent:
        done = outcomes_import(campaign=page.campaign, build=build, actor=page.user)
        labels = ", ".join(run.label for run in done.runs)
        messages.success(
            page.request, _("They are now listed with the metrics: %(names)s.") % {"names": labels}
        )
        return page.go("correlation")
    report = extrinsic_report(build=build)
    context = _context(page.request, report) if report else {}
    row = build_row(build=build, user=page.user)
    answer = page.render(
        "scoring/extrinsic_build.html",
        build=build,
        row=row,
        report=report,
        fits=bool(report) and outcomes_fit(campaign=page.campaign, build=build),
        told=translated(build.sentence).splitlines(),
        **context,
    )
    if not row.active and "HX-Request" in page.request.headers:
        answer["HX-Refresh"] = "true"  # The report stands below what is polled.
    return answer


def _context(request: HttpRequest, report: dict[str, Any]) -> dict[str, Any]:
    metrics = metrics_of(report)
    outcome = request.GET.get("outcome", "p_true")
    metric = request.GET.get("metric", metrics[0] if metrics else "")
    if outcome not in OUTCOMES or (metrics and metric not in metrics):
        raise NotFound(_("There is no such page."))
    return {
        "columns": report["columns"],
        "axis": axis(report),
        "trained": accuracy_rows(report, "accuracy"),
        "tested": accuracy_rows(report, "on_paraphrases"),
        "metrics": metrics,
        "metric": metric,
        "outcomes": OUTCOMES.items(),
        "outcome": outcome,
        "cells": cells_of(report, metric, outcome),
        "lengths": lengths_of(report),
        "systems": [
            one for one in report.get("intrinsic", {}).get("systems", ()) if one["metric"] == metric
        ],
        "tables": tables_of(report),
        "warnings": [translated(one["said"]) for one in revived(report["warnings"])],
        "forms": tuple(TYPES),
    }


@require_GET
@campaign_view("research")
def extrinsic_table(page: CampaignPage, key: UUID, name: str, form: str) -> HttpResponseBase:
    """A table as CSV with all digits or as LaTeX; `outcomes` as CSV has every test text."""
    build = EXTRINSIC.get(user=page.user, campaign=page.campaign, key=key)
    if (name, form) == ("outcomes", "csv"):
        return FileResponse(
            outcomes_file(build=build).open("rb"),
            as_attachment=True,
            filename=f"{page.slug}-outcomes.csv",
            content_type="text/csv; charset=utf-8",
        )
    report = extrinsic_report(build=build)
    table = tables_of(report).get(name) if report else None
    if table is None or form not in TYPES:
        raise NotFound(_("There is no such table."))
    content = _csv(table) if form == "csv" else _extrinsic_latex(table, page.slug)
    headers = {
        "Content-Disposition": content_disposition_header(True, f"{page.slug}-{name}.{form}")
    }
    return HttpResponse(content, content_type=f"{TYPES[form]}; charset=utf-8", headers=headers)


def _csv(table: Table) -> bytes:
    stream = io.BytesIO()
    columns = [
        Column(name, "text" if isinstance(table.rows[0][name], str) else "number")
        for name in table.columns
    ]
    write_rows(iter(table.rows), stream, columns, format="csv")
    return stream.getvalue()


def _extrinsic_latex(table: Table, slug: str) -> bytes:
    header = [name.replace("_", " ") for name in table.columns]
    rows = [[tex(_cell(row[name])) for name in table.columns] for row in table.rows]
    caption = f"Extrinsic evaluation: {table.name}"
    text = latex_table(
        header,
        rows,
        caption=caption,
        label=f"tab:extrinsic-{table.name}",
        source=f"{slug}, extrinsic evaluation",
    )
    return text.encode()

"""The rating of a paraphrase table: its page, its table and its figure."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.errors import NotFound
from scoring.building.recipes.parametric import COLUMNS
from scoring.figures import draw
from scoring.paper.latex import latex_table, number
from scoring.selectors.built.parametric import rating_figure, rating_get
from scoring.selectors.resources import plain_file, resource_row

FORMS = {"csv": "text/csv", "tex": "application/x-tex", "svg": "image/svg+xml"}
_SHOWN = ("least", "precision", "recall", "phrases_with_paraphrases", "phrases_with_gold")


@require_GET
def rating(request: HttpRequest, key: str) -> HttpResponse:
    """What the table is worth by minimum probability."""
    resource, report = rating_get(user=request.user, key=key)
    first = report["rows"][0]
    return render(request, "scoring/parametric.html", {
        "resource": resource, "report": report,
        "built": resource_row(resource=resource, user=request.user).built,
        "drawn": first["precision"] is not None and first["recall"] is not None,
    })  # fmt: skip


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
        header, rows, caption="ParaMetric: lower-bound precision and relative recall",
        label="tab:parametric", source=name,
    )  # fmt: skip


def _cell(value: float | None) -> str:
    return str(value) if isinstance(value, int) else number(value, 3)

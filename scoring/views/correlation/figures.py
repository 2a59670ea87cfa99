"""Figures and tables of the correlation pages: for the screen, for print, and as data."""

from __future__ import annotations

import io
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.errors import NotFound
from annotation.exporters import Column, write_rows
from scoring.figures import FORMATS, draw, numbers_csv, plotly_figure
from scoring.paper.latex import escape as tex
from scoring.paper.latex import latex_table, number
from scoring.paper.markdown import markdown_table
from scoring.presenters.correlation import TABLE_FORMS, PageRequest
from scoring.selectors.correlation.figures import FigureRequest, figure_get
from scoring.selectors.correlation.tables import CorrelationTable, table_get

TYPES = {"csv": "text/csv", "tex": "application/x-tex", "md": "text/markdown"}


@require_GET
def figure(request: HttpRequest, slug: str, name: str, form: str) -> HttpResponse:
    """`form` is json for the screen; svg, png or pdf for print; csv for the numbers."""
    asked = PageRequest(request, slug)
    if form not in ("json", "csv", *FORMATS):
        raise NotFound(_("There is no such figure format."))
    about = FigureRequest(
        asked.campaign, asked.choice, request.GET.dict(),
        lambda kind, about=None: asked.report(kind, asked=about)[1],
    )  # fmt: skip
    found = figure_get(name=name, asked=about)
    if form == "json":
        return JsonResponse(plotly_figure(found))
    if form == "csv":
        return _file(numbers_csv(found), f"{slug}-{name}.csv", "text/csv; charset=utf-8")
    return _file(draw(found, form), f"{slug}-{name}.{form}", FORMATS[form])


@require_GET
def table(request: HttpRequest, slug: str, name: str, form: str) -> HttpResponse:
    """A table as CSV with all digits, or as LaTeX or Markdown for a text."""
    asked = PageRequest(request, slug)
    if form not in TABLE_FORMS:
        raise NotFound(_("There is no such table format."))
    found = table_get(name=name, report=lambda kind: asked.report(kind)[1])
    content = _csv(found) if form == "csv" else _text(found, form, slug, name)
    return _file(content, f"{slug}-{name}.{form}", f"{TYPES[form]}; charset=utf-8")


def _csv(table: CorrelationTable) -> bytes:
    stream = io.BytesIO()
    columns = [
        Column(name, "text" if isinstance(table.rows[0][name], str) else "number")
        for name in table.columns
    ]
    write_rows(iter(table.rows), stream, columns, format="csv")
    return stream.getvalue()


def _text(table: CorrelationTable, form: str, slug: str, name: str) -> bytes:
    header = [column.replace("_", " ") for column in table.columns]
    if form == "md":
        rows = [[_cell(row[column]) for column in table.columns] for row in table.rows]
        return markdown_table(header, rows, caption=table.title).encode()
    rows = [[tex(_cell(row[column])) for column in table.columns] for row in table.rows]
    return latex_table(
        header, rows, caption=table.title, label=f"tab:{name}", source=f"{slug}, {name}"
    ).encode()


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) else number(value, 3)


def _file(content: bytes, name: str, kind: str) -> HttpResponse:
    headers = {"Content-Disposition": content_disposition_header(True, name) or ""}
    return HttpResponse(content, content_type=kind, headers=headers)

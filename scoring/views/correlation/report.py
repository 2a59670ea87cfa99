"""The correlation pages as one document, to print or to download."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.errors import NotFound
from scoring.figures import Figure, draw
from scoring.presenters.correlation import PageRequest, heads
from scoring.selectors.correlation import report_figures as drawn
from scoring.stats.evaluation.json_types import CorrelationReport, SystemsReport
from scoring.views.correlation.metrics import compared, table_of

HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)


@require_GET
@csp_update({"style-src": ["'unsafe-inline'"]})  # type: ignore[arg-type]  # Its style is inside it.
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """One self-contained page; a download if the query string has `file`."""
    asked = PageRequest(request, slug)
    found: CorrelationReport
    systems: SystemsReport
    view, found = asked.report("correlation")
    if view.report is None or not found["runs"]:
        raise NotFound(_("There is no report yet: it needs a metric run and judgments."))
    _view, systems = asked.report("correlation-systems")
    context = {
        "campaign": asked.campaign, "form": asked.form, "found": found, "view": view,
        "made": timezone.localtime(),
        "tables": [table_of(asked, found, human) for human in found["human"]],
        "differences": [(human, compared(found, human)) for human in found["human"]],
        "compared": heads("comparisons"), "figures": _figures(found, systems),
    }  # fmt: skip
    answer = HttpResponse(render_to_string("scoring/correlation_report.html", context, request))
    if "file" in request.GET:
        name = content_disposition_header(True, f"{slug}-correlation.html")
        answer["Content-Disposition"] = name or ""
    return answer


def _figures(found: CorrelationReport, systems: SystemsReport) -> list[tuple[str, SafeString]]:
    """The figures that can be drawn, as inline SVG."""
    wanted: list[tuple[str, Callable[[], Figure]]] = [
        (_("Pearson with people, by metric"), partial(drawn.coefficients, found)),
        (
            _("How the metrics correlate with each other (Spearman)"),
            partial(drawn.among, found),
        ),
    ]
    wanted += [
        (
            _("Pearson with %(people)s within each system") % {"people": human},
            partial(drawn.per_system, systems, human),
        )
        for human in systems["human"]
    ]
    shown = []
    for title, make in wanted:
        try:
            shown.append((title, _svg(make())))
        except NotFound:
            continue  # With a single metric, or no systems, there is nothing to draw.
    return shown


def _svg(figure: Figure) -> SafeString:
    """The SVG without its XML header; matplotlib has escaped user texts."""
    return mark_safe(HEAD.sub("", draw(figure, "svg").decode()))  # noqa: S308

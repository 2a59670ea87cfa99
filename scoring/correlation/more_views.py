"""Mixes of metrics: two by weight, and the best linear one of all."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypedDict

from csp.decorators import csp_update
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from annotation.errors import NotFound
from annotation.exporters.columns import Column
from annotation.exporters.writers import write_rows
from paraanno.template_filters import translated
from scoring.correlation import figures
from scoring.correlation.figures import (
    MOST_LINES,
    OVER_SYSTEMS,
    CorrelationTable,
    table_get,
)
from scoring.correlation.one_metric import best_label
from scoring.correlation.report import PAIR, mixes_asked
from scoring.correlation.views import compared, table_of
from scoring.correlation.words import (
    TABLE_FORMS,
    CorrelationPage,
    cannot_apart,
    correlation_view,
    heads,
)
from scoring.figures.data import Figure, numbers_csv
from scoring.figures.paper import FORMATS, draw
from scoring.metrics.registry import printed
from scoring.paper.rows import markdown_table
from scoring.paper.tables import escape as tex
from scoring.paper.tables import latex_table, number
from scoring.ratings.tables import human_names
from scoring.runs.queries import newest_done_runs, run_labels
from scoring.stats.evaluation.catalogue import at
from scoring.stats.evaluation.json_types import (
    AccuracyJson,
    CorrelationReport,
    HumanJson,
    HumanStability,
    MixesReport,
    RankingJson,
    SystemLevelJson,
    SystemsReport,
)
from scoring.stats.evaluation.mixes import MARKED, BestMixJson, MixCurveJson
from scoring.stats.intervals import how_made
from scoring.stats.table import EstimateJson

SCALE_NAMES = {
    "minmax": gettext_lazy("each from 0 to 1 over these texts"),
    "raw": gettext_lazy("as they are"),
    "z": gettext_lazy("standardised"),
}
FIT_NAMES = {
    "nnls": gettext_lazy("no weight below 0"),
    "ols": gettext_lazy("any weight"),
}


@require_GET
@correlation_view()
def mixes(page: CorrelationPage) -> HttpResponse:
    """The page for the metrics, scale and scaling in the query string; else for the metric that
    agrees best with people, and the one that adds most to it."""
    runs = newest_done_runs(campaign=page.campaign)
    labels, scales = run_labels(runs), human_names(campaign=page.campaign)
    about = mixes_asked(campaign=page.campaign, data=page.query.dict())
    view, context = None, {}
    if about:
        view, report = page.result("mixes", after_runs=True, parameters=about)
        context = _shown(report)
    curve: Mapping[str, Any] = context.get("curve") or {}
    keys = {labels[run.pk]: str(run.key) for run in runs}
    pair = {one: keys.get(curve.get(one, ""), about.get(one, "")) for one in PAIR}
    options = [(key, printed(label)) for label, key in keys.items()]
    return page.render(
        "scoring/mixes.html",
        view=view,
        about=about,
        parameters=list(about.items()),
        pair=pair,
        runs=options if all(pair.values()) else [("", "–"), *options],
        scales=scales,
        scalings=SCALE_NAMES.items(),
        fits=FIT_NAMES.items(),
        curve_heads=heads("curve"),
        mix_heads=heads("mixes"),
        **context,
    )


def _shown(report: MixesReport) -> dict[str, Any]:
    """Tables and the figure of a report; none while it is made."""
    curve, best = report.get("curve"), report.get("best")
    if curve is None or best is None:
        return {"figures": []}
    return {
        "curve": curve,
        "points": _points(curve),
        "best": best,
        "singles": _singles(best),
        "weights": list(zip(best["names"], best["weights"], strict=False)),
        "figures": [
            {
                "name": "mix",
                "title": f"{printed(curve['first'])} + {printed(curve['second'])}",
                "help": _(
                    "Marked: the mixes 2:8, 5:5 and 8:2. The best weight was fitted on "
                    "these same texts."
                ),
            }
        ],
    }


class MixRow(TypedDict):
    """A mix with Pearson and Spearman."""

    ratio: str
    cells: list[EstimateJson]


def _points(curve: MixCurveJson) -> list[MixRow]:
    """The marked mixes and both ends."""
    wanted = (0.0, *MARKED, 1.0)
    return [
        {
            "ratio": f"{round(10 * point['weight'])}:{round(10 * (1 - point['weight']))}",
            "cells": [point["pearson"], point["spearman"]],
        }
        for point in curve["points"]
        if any(abs(point["weight"] - one) < 1e-9 for one in wanted)
    ]


def _singles(best: BestMixJson) -> list[tuple[str, list[EstimateJson]]]:
    """The mix and each metric alone on the same texts, best first."""
    names = tuple(at("mixes"))
    rows = [
        (label, [estimates[name] for name in names]) for label, estimates in best["singles"].items()
    ]
    rows.sort(key=lambda row: -(row[1][0]["value"] if row[1][0]["value"] is not None else -2))
    mixed = [best["out_of_fold"][name] for name in names]
    return [(_("the mix, on phrases it was not fitted on"), mixed), *rows]


# The correlation pages as one document, to print or to download.


HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)


@require_GET
@csp_update({"style-src": ["'unsafe-inline'"]})  # type: ignore[arg-type]  # Its style is inside it.
@correlation_view(frame=False)
def report(page: CorrelationPage) -> HttpResponse:
    """One self-contained page; a download if the query string has `file`."""
    correlations: CorrelationReport
    systems: SystemsReport
    view, correlations = page.result("correlation")
    if view.report is None or not correlations["runs"]:
        raise NotFound(_("There is no report yet: it needs a metric run and judgments."))
    _view, systems = page.result("correlation-systems")
    context = {
        "campaign": page.campaign,
        "form": page.form,
        "found": correlations,
        "view": view,
        "made": timezone.localtime(),
        "tables": [table_of(page, correlations, human) for human in correlations["human"]],
        "differences": [(human, compared(correlations, human)) for human in correlations["human"]],
        "compared": heads("comparisons"),
        "how_made": how_made(correlations),
        "cannot": cannot_apart(correlations),
        "figures": _figures(correlations, systems),
    }
    answer = HttpResponse(
        render_to_string("scoring/correlation_report.html", context, page.request)
    )
    if "file" in page.query:
        name = content_disposition_header(True, f"{page.slug}-correlation.html")
        answer["Content-Disposition"] = name or ""
    return answer


def _figures(report: CorrelationReport, systems: SystemsReport) -> list[tuple[str, SafeString]]:
    """The figures that can be drawn, as inline SVG."""
    wanted: list[tuple[str, Callable[[], Figure]]] = [
        (_("Pearson with people, by metric"), partial(figures.coefficients, report)),
        (
            _("How the metrics correlate with each other (Spearman)"),
            partial(figures.among, report),
        ),
    ]
    wanted += [
        (
            _("Pearson with %(people)s within each system") % {"people": human},
            partial(figures.per_system, systems, human),
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


# Correlation over systems, its stability by amount of data, and the ranking of paraphrases.


class LevelRow(TypedDict):
    """A metric over `n` systems: a cell per coefficient, None where it was not computed."""

    label: str
    cells: list[EstimateJson | None]
    n: int


@require_GET
@correlation_view()
def systems(page: CorrelationPage) -> HttpResponse:
    """Correlation over systems, by means and by corpus scores; and within each system."""
    view, report = page.result("correlation-systems", after_runs=True)
    human = page.scale(report)
    numbers: HumanJson | None = report["human"].get(human)
    means = numbers.get("systems", {}) if numbers else {}
    corpus = numbers.get("corpus", {}) if numbers else {}
    tables = [
        (_("By the mean score of each system’s texts"), _level(means)),
        (_("By the metric’s corpus score of each system"), _level(corpus)),
    ]
    labels = [run["label"] for run in report["runs"]]
    label = page.query.get("metric", "")
    if label not in labels:
        label = best_label(campaign=page.campaign, human=human)
    metric = label if label in labels else next(iter(labels), "")
    others = [one for one in labels if one != metric]
    beside = page.query.get("beside", "")
    beside = beside if beside in others else next(iter(others), "")
    parameters = [("scale", human), ("metric", metric), ("beside", beside)]
    return page.render(
        "scoring/correlation_systems.html",
        view=view,
        found=report,
        scales=list(report["human"]),
        scale=human,
        labels=[(one, printed(one)) for one in labels],
        metric=metric,
        beside=beside,
        parameters=parameters,
        tables=[(title, rows) for title, rows in tables if rows],
        heads=heads("systems"),
        figures=_system_figures(metric, beside, human) if means else [],
    )


def _level(level: Mapping[str, SystemLevelJson]) -> list[LevelRow]:
    """Table rows, one for each metric."""
    return [
        {
            "label": label,
            "cells": [one.get(name) for name in OVER_SYSTEMS],
            "n": len(one["systems"]),
        }
        for label, one in level.items()
    ]


def _system_figures(metric: str, beside: str, human: str) -> list[dict[str, str]]:
    both = {
        "name": "two-metrics",
        "title": _("Systems by %(one)s and %(other)s")
        % {"one": printed(metric), "other": printed(beside)},
        "help": _(
            "Each point is a system with its mean gold value (%(people)s): the larger the "
            "point, the higher."
        )
        % {"people": human},
    }
    return [
        {
            "name": "systems",
            "title": _("Systems by %(metric)s and %(people)s")
            % {"metric": printed(metric), "people": human},
            "help": _("Each point is a system: its mean gold value and its score."),
        },
        *([both] if beside else []),
        {
            "name": "per-system",
            "title": _("Pearson with people within each system"),
            "help": _("Over the texts of the system. An empty cell is undefined."),
        },
    ]


@require_GET
@correlation_view()
def stability(page: CorrelationPage) -> HttpResponse:
    """Coefficients by number of items and annotators; items needed to distinguish two metrics."""
    view, report = page.result("stability", after_runs=True)
    human = page.scale(report)
    by = page.query.get("by", "")
    coefficients = {key: translated(label) for key, label in at("stability").items()}
    by = by if by in coefficients else "pearson"
    none: HumanStability = {"items": [], "annotators": [], "power": []}
    numbers: HumanStability = report["human"].get(human, none)
    return page.render(
        "scoring/stability.html",
        view=view,
        found=report,
        scales=list(report["human"]),
        scale=human,
        by=by,
        coefficients=coefficients.items(),
        parameters=[("scale", human), ("by", by)],
        power=numbers["power"],
        figures=_stability_figures(numbers, by),
        reasons=sorted(
            {one["reason"] for one in [*numbers["items"], *numbers["annotators"]] if one["reason"]}
        ),
    )


def _stability_figures(numbers: HumanStability, by: str) -> list[dict[str, str]]:
    figures = [
        {
            "name": "by-items",
            "title": _("By number of phrases"),
            "help": _(
                # xgettext:no-python-format
                "Mean and middle 95 % over random subsets of the phrases. Subsets overlap: the "
                "band shows what fewer phrases would have given, not the uncertainty of the "
                "full value."
            ),
        },
        {
            "name": "by-annotators",
            "title": _("By number of ratings for each text"),
            "help": _(
                # xgettext:no-python-format
                "Mean and middle 95 % over random orders of each text’s ratings: what fewer "
                "ratings would have given, not the uncertainty of the full value."
            ),
        },
    ]
    shown = []
    for curves, figure in zip((numbers["items"], numbers["annotators"]), figures, strict=True):
        lines = sum(bool(one["points"]) for one in curves if one["coefficient"] == by)
        if lines > MOST_LINES:
            most = _("Drawn: the %(most)s metrics of %(all)s that are highest with all data.")
            figure["help"] += " " + most % {"most": MOST_LINES, "all": lines}
        if lines:
            shown.append(figure)
    return shown


@require_GET
@correlation_view()
def ranking(page: CorrelationPage) -> HttpResponse:
    """White's ranking: how often each metric orders two paraphrases of an item as people do."""
    view, report = page.result("ranking", after_runs=True)
    human = page.scale(report)
    numbers: RankingJson | None = report["human"].get(human)
    majority: RankingJson | None = report.get("majority", {}).get(human)
    return page.render(
        "scoring/ranking.html",
        view=view,
        found=report,
        scales=list(report["human"]),
        scale=human,
        parameters=[("scale", human)] if human else [],
        numbers=numbers,
        majority=majority,
        accuracies=_percent(numbers),
        by_majority=_percent(majority),
        table=numbers["table"] if numbers and numbers["tests"] else None,
    )


def _percent(numbers: RankingJson | None) -> list[tuple[str, AccuracyJson]]:
    """The accuracies in per cent, the best first."""
    accuracies = numbers["accuracies"].items() if numbers else ()
    return [
        (name, {**one, "strict": 100 * one["strict"], "half": 100 * one["half"]})
        for name, one in sorted(accuracies, key=lambda one: -one[1]["half"])
    ]


# Figures and tables of the correlation pages: for print, and as data.


OF_METRICS = ("metric", "a", "b")  # Columns with the names of metrics.
TYPES = {"csv": "text/csv", "tex": "application/x-tex", "md": "text/markdown"}


@require_GET
@correlation_view(frame=False)
def figure(page: CorrelationPage, name: str, form: str) -> HttpResponse:
    """`form` is svg, png or pdf for print; csv for the numbers."""
    if form not in ("csv", *FORMATS):
        raise NotFound(_("There is no such figure format."))
    plot = page.figure(name, page.query.dict())
    if form == "csv":
        return _file(numbers_csv(plot), f"{page.slug}-{name}.csv", "text/csv; charset=utf-8")
    return _file(draw(plot, form), f"{page.slug}-{name}.{form}", FORMATS[form])


@require_GET
@correlation_view(frame=False)
def table(page: CorrelationPage, name: str, form: str) -> HttpResponse:
    """A table as CSV with all digits, or as LaTeX or Markdown for a text."""
    if form not in TABLE_FORMS:
        raise NotFound(_("There is no such table format."))
    correlation_table = table_get(name=name, report=lambda kind: page.result(kind)[1])
    content = (
        _csv(correlation_table)
        if form == "csv"
        else _text(correlation_table, form, page.slug, name)
    )
    return _file(content, f"{page.slug}-{name}.{form}", f"{TYPES[form]}; charset=utf-8")


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
    rows = [[_cell(column, row[column]) for column in table.columns] for row in table.rows]
    if form == "md":
        return markdown_table(header, rows, caption=table.title).encode()
    escaped = [[tex(cell) for cell in row] for row in rows]
    return latex_table(
        header, escaped, caption=table.title, label=f"tab:{name}", source=f"{slug}, {name}"
    ).encode()


def _cell(column: str, value: Any) -> str:
    if isinstance(value, str):
        return printed(value) if column in OF_METRICS else value
    return str(value) if isinstance(value, int) else number(value, 3)


def _file(content: bytes, name: str, kind: str) -> HttpResponse:
    headers = {"Content-Disposition": content_disposition_header(True, name) or ""}
    return HttpResponse(content, content_type=kind, headers=headers)

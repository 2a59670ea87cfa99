"""Agreement between annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from tempfile import TemporaryFile
from typing import TypeAlias, TypedDict

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotation.access import campaign_get, campaigns_read_by
from annotation.errors import Invalid
from annotation.exporters.writers import write_rows
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.http.charts import DotChart, DotRow
from annotation.models import Annotator, Campaign, Scale
from paraanno.template_filters import translated
from scoring.agreement.report import FEW, MOST_ANNOTATORS, value_names
from scoring.agreement.words import (
    Trust,
    alphas_chart,
    coefficient_rows,
    decision_rows,
    decisions_chart,
    disputed_chart,
    extra_sentence,
    gold_answer,
    label,
    not_shown,
    verdict,
)
from scoring.chart_files import ChartFile, Value, chart_asked
from scoring.exports.design import RATING_COLUMNS, rating_rows
from scoring.ratings.choice_form import ChoiceForm
from scoring.ratings.tables import ratings_get
from scoring.reports.compute import ReportPage, ReportView, report_get, report_view
from scoring.stats.agreement.catalogue import coefficients
from scoring.stats.agreement.coefficients import (
    AgreementReport,
    ChanceTest,
    CoursePart,
    InfluenceBlock,
    InfluenceReport,
    LeftOut,
    NewAnnotators,
    ScaleBlock,
    estimates_of,
)
from scoring.stats.intervals import LEAST_AGREEMENT, how_made
from scoring.stats.table import EstimateJson, PairJson


class CourseRow(TypedDict):
    """A part of the course of time."""

    n: int
    alpha: EstimateJson
    start: datetime
    end: datetime


class AnnotatorPair(PairJson):
    """A pair of annotators; `few` where they share too few texts."""

    few: bool


# The row's annotator, and the cells: None on the diagonal, {} where nothing is shared.
SquareRow: TypeAlias = "tuple[str, list[AnnotatorPair | dict[str, object] | None]]"


class PairTable(TypedDict):
    """The pairs of a scale."""

    weighted: bool
    names: list[str]
    square: list[SquareRow]
    pairs: list[AnnotatorPair]
    pairs_left_out: int
    pooled: EstimateJson | None


class ConfusionTable(TypedDict):
    """What values two annotators gave to the same texts: (value of a, how often b gave which) per
    row."""

    a: str
    b: str
    rows: list[tuple[str, list[int]]]
    levels: list[str]
    requested: bool
    kappa: AnnotatorPair | None


class InfluenceRow(TypedDict):
    """A coefficient, its interval for new annotators and its test against chance."""

    label: str
    value: float | None
    new: NewAnnotators | None
    test: ChanceTest | None


class AnnotatorInfluence(LeftOut):
    """An annotator with (value without them, change) per coefficient."""

    cells: list[tuple[float | None, float | None]]


class InfluenceRows(TypedDict):
    coefficients: list[InfluenceRow]
    annotators: list[AnnotatorInfluence]


def _tested(rows: Sequence[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Those with a test, which takes texts for independent."""
    return [row for row in rows if row.get("F") is not None or row.get("chi2") is not None]


@require_GET
@report_view()
def agreement(page: ReportPage) -> HttpResponse:
    """`scale`, `a` and `b` choose the two annotators whose answers are compared."""
    form = ChoiceForm(page.query, campaign=page.campaign, kind="agreement")
    view = page.report(
        "agreement",
        form.choice(),
    )
    none: AgreementReport = {"scales": {}, "voices": []}
    report: AgreementReport = view.result or none
    levels = dict(page.campaign.scales.values_list("name", "level"))
    up = dict(page.campaign.scales.values_list("name", "higher_is_better"))
    names_of_values = value_names(campaign=page.campaign)
    scales = []
    for name, numbers in report["scales"].items():
        chosen = ("", "")
        if page.query.get("scale") == name:
            chosen = page.query.get("a", ""), page.query.get("b", "")
        pairs = _pairs(numbers, levels.get(name))
        rows = coefficient_rows(numbers, names_of_values.get(name, {}))
        scales.append(
            {
                "name": name,
                "numbers": numbers,
                "rows": rows,
                "tested": _tested(rows),
                "not_shown": not_shown(numbers),
                "course": _course(numbers.get("course", [])),
                **_answer(numbers),
                **pairs,
                "confusion": _confusion(numbers, pairs["pairs"], *chosen),
            }
        )
    passes = [
        {
            "name": name,
            "numbers": numbers,
            "rows": (rows := decision_rows(numbers)),
            "tested": _tested(rows),
            "thresholds": [
                (scale, "≥" if up.get(scale, True) else "≤", value)
                for scale, value in numbers["thresholds"].items()
            ],
        }
        for name, numbers in report.get("passes", {}).items()
    ]
    simulated = [
        annotator["code"]
        for annotator in report.get("voices", [])
        if annotator["origin"] == Annotator.Origin.SIMULATED
    ]
    chart = alphas_chart(report, levels, page.request.path)
    pictured = _pictured(report, chart) if chart else []
    decisions = decisions_chart(report.get("passes", {}))
    files = {"alpha": _file(report, chart)} if chart else {}
    if decisions:
        panels = [(name, chart) for name, _share, chart in decisions["heads"]]
        files["decisions"] = ChartFile(_("Pass decisions"), panels)
    response = chart_asked(page.request, page.slug, files)
    if response is not None:
        return response
    return page.render(
        "scoring/agreement.html",
        view=view,
        chart=chart,
        pictured=pictured,
        scales=scales,
        passes=passes,
        decisions=decisions,
        disputed=disputed_chart(report),
        simulated_codes=simulated,
        found=report,
        how_made=how_made(report),
        drawn=report.get("drawn"),
        cannot_judge=sum(report.get("cannot_judge", {}).values()),
        choice_form=form,
    )


def _file(report: AgreementReport, chart: DotChart) -> ChartFile:
    """The picture as a file, with the shares of points."""
    beside: list[dict[str, Value]] = [
        {f"share_{value}": n / (sum(counts.values()) or 1) for value, n in counts.items()}
        for counts in (report["scales"][row.name].get("distribution", {}) for row in chart.rows)
    ]
    return ChartFile(_("Krippendorff’s α of each scale"), [("", chart)], beside)


def _pictured(report: AgreementReport, chart: DotChart) -> list[tuple[DotRow, list[float]]]:
    """The rows of the chart, each with the shares of the values that were given."""
    pictured = []
    for row in chart.rows:
        counts = report["scales"][row.name].get("distribution", {})
        given = sum(counts.values())
        shares = [n / given for n in counts.values()] if given else []
        pictured.append((row, shares))
    return pictured


def _course(parts: list[CoursePart]) -> list[CourseRow]:
    """The time course, with dates."""
    return [
        {
            "n": part["n"],
            "alpha": part["alpha"],
            "start": datetime.fromtimestamp(part["start"], UTC),
            "end": datetime.fromtimestamp(part["end"], UTC),
        }
        for part in parts
    ]


def _answer(numbers: ScaleBlock) -> dict[str, str | Trust | None]:
    """The verdict of a scale; empty for a report stored before they existed."""
    if "answer" not in numbers:
        return {}
    return {
        "verdict": verdict(numbers),
        "gold": gold_answer(numbers),
        "extra_sentence": extra_sentence(numbers),
    }


def _pairs(numbers: ScaleBlock, level: str | None) -> PairTable:
    """Kappas of pairs of annotators: a square table, or a list if there are many; and the kappa
    pooled over pairs, which reports of the version before lack."""
    weighted = level != Scale.Level.NOMINAL
    estimates, weights = estimates_of(numbers), "_quadratic" if weighted else ""
    entry, pooled = (
        estimates[f"cohen_kappa{weights}"],
        estimates.get(f"cohen_kappa_pooled{weights}"),
    )
    pairs: list[AnnotatorPair] = [
        {**pair, "few": pair["n"] < FEW} for pair in entry.get("pairs", [])
    ]
    names = list(dict.fromkeys(name for pair in pairs for name in (pair["a"], pair["b"])))
    square: list[SquareRow] = []
    if len(names) <= MOST_ANNOTATORS and not entry.get("pairs_left_out"):
        square = pair_square(names, pairs)
    return {
        "weighted": weighted,
        "names": names,
        "square": square,
        "pairs": pairs,
        "pairs_left_out": entry.get("pairs_left_out", 0),
        "pooled": pooled,
    }


def pair_square(names: list[str], pairs: list[AnnotatorPair]) -> list[SquareRow]:
    """Rows of (name, cells); a cell is None on the diagonal and {} if no units are shared."""
    cells = {(pair["a"], pair["b"]): pair for pair in pairs}
    cells |= {(pair["b"], pair["a"]): pair for pair in pairs}
    return [
        (one, [None if one == other else cells.get((one, other), {}) for other in names])
        for one in names
    ]


def _confusion(
    numbers: ScaleBlock, pairs: list[AnnotatorPair], a: str, b: str
) -> ConfusionTable | None:
    """The confusion matrix of two annotators: those requested, else the pair with the lowest
    agreement on enough shared texts. None if there are no tables."""
    tables = numbers.get("confusions")
    if not tables or not tables["pairs"]:
        return None
    cells_by_pair = {(one["a"], one["b"]): one["cells"] for one in tables["pairs"]}
    requested = bool(a or b)
    if not requested:
        a, b = _least(pairs)
    cells = cells_by_pair.get((a, b))
    if cells is None and (b, a) in cells_by_pair:
        cells = [list(row) for row in zip(*cells_by_pair[b, a], strict=True)]
    kappa = next((pair for pair in pairs if {pair["a"], pair["b"]} == {a, b}), None)
    rows = [] if cells is None else list(zip(tables["levels"], cells, strict=True))
    return {
        "a": a,
        "b": b,
        "rows": rows,
        "levels": tables["levels"],
        "requested": requested,
        "kappa": kappa,
    }


def _least(pairs: list[AnnotatorPair]) -> tuple[str, str]:
    enough = [
        (pair["value"], at)
        for at, pair in enumerate(pairs)
        if not pair["few"] and pair["value"] is not None
    ]
    chosen = pairs[min(enough)[1]] if enough else max(pairs, key=lambda pair: pair["n"])
    return chosen["a"], chosen["b"]


@require_GET
@report_view("research")
def influence(page: ReportPage) -> HttpResponse:
    """The influence of single annotators on the coefficients; only for researchers, as it is about
    individuals."""
    view = page.report("influence")
    none: InfluenceReport = {"scales": {}}
    report: InfluenceReport = view.result or none
    scales = [
        {
            "name": name,
            "reason": block["influence"]["reason"],
            "chance": block["chance"],
            **_influence(block),
        }
        for name, block in report["scales"].items()
    ]
    return page.render(
        "scoring/influence.html",
        view=view,
        scales=scales,
        least=LEAST_AGREEMENT,
    )


def _influence(block: InfluenceBlock) -> InfluenceRows:
    """Rows of both tables in the order of the coefficients."""
    numbers = block["influence"]
    names = numbers["names"]
    rows: list[InfluenceRow] = [
        {
            "label": label(name),
            "value": numbers.get("values", {}).get(name),
            "new": numbers["new_annotators"].get(name),
            "test": block["chance"]["tests"].get(name),
        }
        for name in names
    ]
    annotators: list[AnnotatorInfluence] = [
        {**row, "cells": [(row["values"][name], row["change"][name]) for name in names]}
        for row in numbers["annotators"]
    ]
    return {"coefficients": rows, "annotators": annotators}


# Two agreement reports side by side.


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
@campaign_view("read")
def compare(page: CampaignPage) -> HttpResponse:
    """Compare two reports of one campaign, or of two campaigns on their shared texts.

    `a-NAME` and `b-NAME` select the judgments of each side, `other` the campaign of the second.
    """
    other_slug = page.query.get("other", "")
    other = page.campaign
    if other_slug and other_slug != page.slug:
        other, _rights = campaign_get(user=page.user, slug=other_slug, right="read")
    sides = [
        _side(page.request, "a", page.campaign, other),
        _side(page.request, "b", other, page.campaign),
    ]
    others = campaigns_read_by(user=page.user).exclude(pk=page.campaign.pk).order_by("name")
    return page.render(
        "scoring/compare.html",
        sides=sides,
        other=other,
        others=others,
        scales=_scales(*(side["view"] for side in sides)),
    )


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
    for key, coefficient in coefficients().items():
        cells = [side.get(key) for side in sides]
        values = [cell["value"] for cell in cells if cell and cell["value"] is not None]
        difference = values[1] - values[0] if len(values) == len(cells) else None
        rows.append(
            {"label": translated(coefficient.label), "cells": cells, "difference": difference}
        )
    return rows


# Download of the ratings behind the agreement page.


@require_GET
@campaign_view("read")
def ratings(page: CampaignPage) -> FileResponse:
    """CSV that `manage.py agreement` reads; the query string selects judgments as on the page."""
    form = ChoiceForm(page.query, campaign=page.campaign, kind="agreement")
    if not form.is_valid():  # A page can fall back to all judgments and say so; a file must not.
        raise Invalid(_("This choice of judgments is not valid: choose again on the page."))
    chosen_ratings = ratings_get(campaign=page.campaign, choice=form.choice())
    stream = TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR)  # noqa: SIM115 the answer closes it
    write_rows(rating_rows(ratings=chosen_ratings), stream, RATING_COLUMNS, format="csv")
    stream.seek(0)
    return FileResponse(
        stream,
        as_attachment=True,
        filename=f"{page.slug}-ratings.csv",
        content_type="text/csv; charset=utf-8",
    )

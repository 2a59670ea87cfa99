"""Results per system."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, TypedDict
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from annotation.presenters.chart_files import chart_asked
from annotation.selectors.access import campaign_get
from annotation.views.pages import campaign_page
from paraanno.translated import translated
from scoring.forms.choice import ChoiceForm
from scoring.presenters.gold import asked_method, method_choices
from scoring.presenters.system_dots import (
    OutcomePicture,
    mean_of,
    outcome_pictures,
    system_files,
)
from scoring.services.reports.compute import report_get
from scoring.stats.gold.table import GoldMethod
from scoring.stats.systems.catalogue import CATALOGUE
from scoring.stats.systems.intervals import IntervalJson
from scoring.stats.systems.json_types import Cluster, ResultsReport, SystemPair, SystemShares
from scoring.stats.terminal.results import shares_table

OWN = (
    "unit",
    "method",
    "adjudicated",
    "outcome",
)  # Query parameters other than the choice of judgments.
PASSES = "passes all"  # Of the outcome in the query string; a scale may not be called so.
SQUARE = range(3, 13)  # Two systems need only one line, and a larger square is unreadable.


class ScaleShareTable(TypedDict):
    """One scale; lists go by system."""

    name: str
    rows: list[tuple[str, list[float]]]
    means: list[tuple[float | None, IntervalJson | None]]
    threshold: float | None
    sign: str
    passes: list[float | None]
    n: list[int]


class Ends(TypedDict):
    low: float | None
    high: float | None


class ShareRow(TypedDict):
    """A system: what passes, its two intervals, and the ends of the better one to draw."""

    label: str
    one: SystemShares
    passes: list[float | None]
    bootstrap: IntervalJson | None
    wilson: IntervalJson | None
    best: Ends


class ShownPair(SystemPair):
    """Two systems; `clear` where the test tells them apart."""

    clear: bool


class SystemGap(NamedTuple):
    """A cell of the square: the row's system minus the column's."""

    gap: float | None
    clear: bool
    ties: int
    n: int


SquareRow: TypeAlias = "tuple[str, list[SystemGap | None]]"


class ClusterTable(Cluster):
    """An outcome with its pairs, the square of differences in the order of the groups, and what
    adjusted its p-values."""

    names: list[str]
    by: str
    pairs: list[ShownPair]
    square: list[SquareRow]


@require_GET
def results(request: HttpRequest, slug: str) -> HttpResponse:
    """The results table of the Callison-Burch guide, by judgment or by gold, with intervals, pairs
    and clusters."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    unit = "gold" if request.GET.get("unit") == "gold" else "judgment"
    kind = "results-gold" if unit == "gold" else "results"
    form = ChoiceForm(request.GET, campaign=campaign, kind=kind)
    choice = form.choice(**({"method": asked_method(request.GET)} if unit == "gold" else {}))
    view = report_get(campaign=campaign, kind=kind, actor=request.user, choice=choice)
    none: ResultsReport = {"systems": {}, "thresholds": {}}
    found: ResultsReport = view.result or none
    up = dict(campaign.scales.values_list("name", "higher_is_better"))
    pictures = outcome_pictures(found, up)
    shown = _shown_picture(request, pictures)
    asked = chart_asked(request, slug, system_files(shown) if shown else {})
    if asked is not None:
        return asked
    kept = [(name, request.GET[name]) for name in OWN if name in request.GET]
    return campaign_page(
        request, "scoring/results.html", campaign=campaign, rights=rights, view=view, unit=unit,
        pictures=_chosen(request, kept, form, pictures),
        found=found, tables=_tables(found, up), systems=list(found["systems"].items()),
        shares=_shares(found), comparisons=_comparisons(found),
        called=_called(), choice_form=form,
        methods=method_choices(), method=GoldMethod.parse(choice.method),
        kept=kept,
    )  # fmt: skip


def _shown_picture(request: HttpRequest, pictures: list[OutcomePicture]) -> OutcomePicture | None:
    """The picture of the query string, else the first."""
    by_name = {picture.scale or PASSES: picture for picture in pictures}
    return by_name.get(request.GET.get("outcome", ""), next(iter(pictures), None))


def _chosen(
    request: HttpRequest,
    kept: list[tuple[str, str]],
    form: ChoiceForm,
    pictures: list[OutcomePicture],
) -> list[tuple[OutcomePicture, str, bool]]:
    """The pictures with their links, and which of them is shown."""
    names = [picture.scale or PASSES for picture in pictures]
    one = _shown_picture(request, pictures)
    rest = [*((name, value) for name, value in kept if name != "outcome"), *form.pairs]
    return [
        (picture, urlencode([*rest, ("outcome", name)]), picture is one)
        for picture, name in zip(pictures, names, strict=True)
    ]


def _called() -> dict[str, dict[str, dict[str, str]]]:
    """What the catalogue calls the numbers and says about them: {of: {key: {label, text}}}."""
    called: dict[str, dict[str, dict[str, str]]] = {}
    for one in CATALOGUE:
        words = {"label": translated(one.label), "text": translated(one.says)}
        called.setdefault(one.of, {})[one.key] = words
    return called


def _tables(found: ResultsReport, up: dict[str, bool]) -> list[ScaleShareTable]:
    systems = found["systems"]
    scales = list(next(iter(systems.values()))["scales"]) if systems else []
    tables: list[ScaleShareTable] = []
    for scale in scales:
        of = [one["scales"][scale] for one in systems.values()]
        tables.append(
            {
                "name": scale,
                "rows": shares_table([one["distribution"] for one in of]),
                "means": [
                    (one.get("mean", mean_of(one["distribution"])), one.get("mean_bootstrap"))
                    for one in of
                ],
                "threshold": found["thresholds"].get(scale),
                "sign": "≥" if up.get(scale, True) else "≤",
                "passes": [one["pass"] for one in of],
                "n": [one["n"] for one in of],
            }
        )
    return tables


def _shares(found: ResultsReport) -> list[ShareRow]:
    """A row per system: the share that passes, its intervals, and the better interval to draw."""
    rows: list[ShareRow] = []
    for label, one in found["systems"].items():
        drawn, wilson = one.get("pass_all_bootstrap"), one.get("pass_all_interval")
        best = drawn if drawn and drawn["low"] is not None else wilson
        rows.append(
            {
                "label": label,
                "one": one,
                "passes": [part["pass"] for name, part in one["scales"].items()
                           if name in found["thresholds"]],
                "bootstrap": drawn,
                "wilson": wilson,
                "best": {"low": best and best["low"], "high": best and best["high"]},
            }
        )  # fmt: skip
    return rows


def _comparisons(found: ResultsReport) -> list[ClusterTable]:
    """For each outcome its clusters, pairs, and a square of differences in the order of the
    clusters."""
    made: list[ClusterTable] = []
    for entry in found.get("clusters", []):
        # Reports of the version before are adjusted by Holm alone.
        by = "p_max_t" if "ranks" in entry else "p_holm"
        rows: list[ShownPair] = [
            {**row, "clear": _below(row.get(by), found["alpha"])}
            for row in found["pairs"]
            if (row["outcome"], row["scale"]) == (entry["outcome"], entry["scale"])
        ]
        names = [label for group in entry["groups"] for label in group] + entry["without"]
        made.append(
            {
                **entry,
                "names": names,
                "by": by,
                "pairs": rows,
                "square": _square(names, rows) if len(names) in SQUARE else [],
            }
        )
    return made


def _below(p: object, alpha: float) -> bool:
    return isinstance(p, float | int) and p < alpha


def _square(names: list[str], rows: list[ShownPair]) -> list[SquareRow]:
    """Rows of (name, cells): the row's system minus the column's; None on the diagonal."""
    cells: dict[tuple[str, str], SystemGap] = {}
    for row in rows:
        gap = row["difference"]
        there = SystemGap(gap, row["clear"], row["ties"], row["n"])
        cells[row["a"], row["b"]] = there
        cells[row["b"], row["a"]] = there._replace(gap=None if gap is None else -gap)
    return [(one, [cells.get((one, other)) for other in names]) for one in names]

"""Results per system."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from annotation.selectors.access import campaign_get
from annotation.views.pages import campaign_page
from scoring.forms import ChoiceForm
from scoring.services.reports import report_get
from scoring.stats.gold_table import GoldMethod
from scoring.stats.results_text import shares_table
from scoring.views.gold_words import asked_method, method_choices

OWN = ("unit", "method", "adjudicated")  # What the address says beside the choice of judgments.
SQUARE = range(3, 13)  # Two systems are one line, and a larger square is read by nobody.
WIDTH = 200  # Of the drawing of a share with its interval.


@require_GET
def results(request: HttpRequest, slug: str) -> HttpResponse:
    """The guide's table, by judgment or by gold, with intervals, pairs and clusters."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    unit = "gold" if request.GET.get("unit") == "gold" else "judgment"
    kind = "results-gold" if unit == "gold" else "results"
    form = ChoiceForm(request.GET, campaign=campaign, kind=kind)
    choice = form.choice(**({"method": asked_method(request.GET)} if unit == "gold" else {}))
    view = report_get(campaign=campaign, kind=kind, actor=request.user, choice=choice)
    found = view.result or {"systems": {}, "thresholds": {}}
    up = dict(campaign.scales.values_list("name", "higher_is_better"))
    return campaign_page(
        request, "scoring/results.html", campaign=campaign, rights=rights, view=view, unit=unit,
        found=found, tables=_tables(found, up), systems=list(found["systems"].items()),
        shares=_shares(found), comparisons=_comparisons(found),
        methods=method_choices(), method=GoldMethod.parse(choice.method), choice_form=form,
        kept=[(name, request.GET[name]) for name in OWN if name in request.GET],
    )  # fmt: skip


def _tables(found: dict[str, Any], up: dict[str, bool]) -> list[dict[str, Any]]:
    systems = found["systems"]
    scales = list(next(iter(systems.values()))["scales"]) if systems else []
    tables = []
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


def mean_of(distribution: dict[str, float]) -> float | None:
    """For stored results of a time when they held no mean."""
    if not any(distribution.values()):
        return None
    return sum(float(value) * share for value, share in distribution.items())


def _shares(found: dict[str, Any]) -> list[dict[str, Any]]:
    """A row per system: what passes, its intervals, and where to draw them."""
    rows = []
    for label, one in found["systems"].items():
        drawn = one.get("pass_all_bootstrap") or {}
        wilson = one.get("pass_all_interval") or {}
        best = drawn if drawn.get("low") is not None else wilson
        rows.append(
            {
                "label": label,
                "one": one,
                "passes": [part["pass"] for name, part in one["scales"].items()
                           if name in found["thresholds"]],
                "bootstrap": drawn,
                "wilson": wilson,
                "dot": _place(one["pass_all"]),
                "low": _place(best.get("low")),
                "high": _place(best.get("high")),
            }
        )  # fmt: skip
    return rows


def _place(share: float | None) -> str | None:
    """As text: the drawing takes a point in every language."""
    return None if share is None else f"{share * WIDTH:.1f}"


def _comparisons(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Per outcome its clusters, pairs, and a square of differences in the order of the clusters."""
    made = []
    for entry in found.get("clusters", []):
        rows = [
            {**row, "clear": row["p_holm"] is not None and row["p_holm"] < found["alpha"]}
            for row in found["pairs"]
            if (row["outcome"], row["scale"]) == (entry["outcome"], entry["scale"])
        ]
        names = [label for group in entry["groups"] for label in group] + entry["without"]
        made.append(
            {
                **entry,
                "names": names,
                "pairs": rows,
                "square": _square(names, rows) if len(names) in SQUARE else [],
            }
        )
    return made


def _square(names: list[str], rows: list[dict[str, Any]]) -> list[tuple[str, list[Any]]]:
    """(name, cells) per row: the row's system minus the column's; None on the diagonal."""
    cells: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        gap = row["difference"]
        shown = {"clear": row["clear"], "ties": row["ties"], "n": row["n"]}
        cells[row["a"], row["b"]] = {**shown, "gap": gap}
        cells[row["b"], row["a"]] = {**shown, "gap": None if gap is None else -gap}
    return [(one, [cells.get((one, other)) for other in names]) for one in names]

"""Results per system."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from annotation.selectors.access import campaign_get
from annotation.views.pages import campaign_page
from scoring.services.reports import report_get

INTERVALS = 10
LISTED_VALUES = 30


@require_GET
def results(request: HttpRequest, slug: str) -> HttpResponse:
    """The guide's table, by judgment or by gold."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="read")
    unit = "gold" if request.GET.get("unit") == "gold" else "judgment"
    kind = "results-gold" if unit == "gold" else "results"
    view = report_get(campaign=campaign, kind=kind, actor=request.user)
    found = view.result or {"systems": {}, "thresholds": {}}
    up = dict(campaign.scales.values_list("name", "higher_is_better"))
    return campaign_page(
        request, "scoring/results.html", campaign=campaign, rights=rights, view=view, unit=unit,
        found=found, tables=_tables(found, up), systems=list(found["systems"].items()),
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
                "means": [mean_of(one["distribution"]) for one in of],
                "threshold": found["thresholds"].get(scale),
                "sign": "≥" if up.get(scale, True) else "≤",
                "passes": [one["pass"] for one in of],
                "n": [one["n"] for one in of],
            }
        )
    return tables


def shares_table(distributions: list[dict[str, float]]) -> list[tuple[str, list[float]]]:
    """From the highest value down, the share in each system; many values in equal intervals."""
    values = sorted({float(value) for one in distributions for value in one})
    if len(values) <= LISTED_VALUES:
        return [
            (f"{value:.12g}", [one.get(f"{value:.12g}", 0.0) for one in distributions])
            for value in reversed(values)
        ]
    low, width = values[0], (values[-1] - values[0]) / INTERVALS
    rows = []
    for place in reversed(range(INTERVALS)):
        ends = low + place * width, low + (place + 1) * width
        shares = [
            sum(
                share
                for value, share in one.items()
                if min(INTERVALS - 1, int((float(value) - low) / width)) == place
            )
            for one in distributions
        ]
        rows.append((f"{ends[0]:.4g} – {ends[1]:.4g}", shares))
    return rows


def mean_of(distribution: dict[str, float]) -> float | None:
    if not any(distribution.values()):
        return None
    return sum(float(value) * share for value, share in distribution.items())

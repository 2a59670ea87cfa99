"""Mixes of metrics: two by weight, and all fitted to human judgments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from django.utils.translation import gettext as _

from annotation.models import Campaign
from paraanno.translated import translated
from scoring.figures import Axis, Figure, Mark, Series
from scoring.models import Run
from scoring.selectors.correlation.columns import UnitColumns, columns_get
from scoring.selectors.correlation.reports import about
from scoring.selectors.ratings.tables import Choice, human_names
from scoring.selectors.runs import newest_done_runs
from scoring.stats import Bootstrap
from scoring.stats.estimate import ITEMS, EstimateJson
from scoring.stats.evaluation.catalogue import at
from scoring.stats.evaluation.json_types import MixesReport
from scoring.stats.evaluation.mixes import (
    FITS,
    MARKED,
    SCALES,
    BestMix,
    MixCurve,
    MixCurveJson,
    best_mix,
    mix_curve,
)

# With more texts the page shows no intervals: they would take too long.
MOST_DRAWN = 5000
PLAN = Bootstrap(500, seed=0, clusters=ITEMS)


def mixes_asked(*, campaign: Campaign, data: Mapping[str, str]) -> dict[str, str]:
    """What a query asks of `mixes_for`, with what it leaves open filled in; empty without two
    metrics or an ordered scale. Equal questions are equal, and share a report."""
    runs, names = newest_done_runs(campaign=campaign), human_names(campaign=campaign)
    if len(runs) < 2 or not names:
        return {}
    first, second = mixed(runs, data)
    human = data.get("scale", "")
    return {
        "first": str(first.key), "second": str(second.key),
        "scale": human if human in names else names[0],
        "scaling": scaling_of(data), "fit": fit_of(data),
    }  # fmt: skip


def mixes_for(
    *, campaign: Campaign, choice: Choice, asked: Mapping[str, str] | None = None
) -> MixesReport:
    """The mix of two metrics by weight, and the best linear one of all, over the newest finished
    run of each. Both are None without two metrics or an ordered scale."""
    columns = columns_get(campaign=campaign, choice=choice)
    asked = asked or mixes_asked(campaign=campaign, data={})
    human = asked.get("scale", "")
    if human not in columns.human or len(columns.runs) < 2:
        return {"curve": None, "best": None, **about(columns)}
    pair, scaling = mixed(columns.runs, asked), scaling_of(asked)
    curve = mix_get(columns=columns, runs=pair, human=human, scale=scaling)
    best = best_mix_get(columns=columns, human=human, fit=fit_of(asked))
    return {"curve": curve.to_json(), "best": best.to_json(), **about(columns)}


def mix_get(*, columns: UnitColumns, runs: tuple[Run, Run], human: str, scale: str) -> MixCurve:
    """The correlation of w A + (1 - w) B with human judgments; intervals up to 5,000 texts. A
    metric for which lower is better enters with its sign reversed. `columns` hold the two runs."""
    first, second = (
        (columns.labels[run.pk], columns.metrics[columns.labels[run.pk]]) for run in runs
    )
    return mix_curve(
        columns.human[human], first, second, columns.ratings.item, _plan(columns), scale=scale
    )


def best_mix_get(*, columns: UnitColumns, human: str, fit: str) -> BestMix:
    """The best linear mix of all metrics, evaluated on held-out items (cross-validation)."""
    return best_mix(
        columns.human[human], columns.metrics, columns.ratings.item, _plan(columns), fit=fit
    )


def mixed(runs: list[Run], data: Mapping[str, str]) -> tuple[Run, Run]:
    """The two runs in the query string, else the first two; never the same run twice."""
    by_key = {str(run.key): run for run in runs}
    first = by_key.get(data.get("first", ""), runs[0])
    second = by_key.get(data.get("second", ""), runs[1])
    if first == second:
        second = next(run for run in runs if run != first)
    return first, second


def scaling_of(data: Mapping[str, str]) -> str:
    """How the two are scaled before they are mixed."""
    asked = data.get("scaling", "")
    return asked if asked in SCALES else "minmax"


def fit_of(data: Mapping[str, str]) -> str:
    """Which weights the best mix may have."""
    asked = data.get("fit", "")
    return asked if asked in FITS else "nnls"


def _plan(columns: UnitColumns) -> Bootstrap | None:
    return PLAN if len(columns.ratings.units) <= MOST_DRAWN else None


def mix_figure(curve: MixCurveJson) -> Figure:
    """Pearson and Spearman over the weight of the first metric."""
    series = []
    for key, label in at("curve").items():
        known = [
            (point["weight"], one)
            for point in curve["points"]
            for one in [cast(Mapping[str, EstimateJson], point)[key]]
            if one["value"] is not None
        ]
        series.append(
            Series(
                translated(label),
                tuple(weight for weight, _one in known),
                tuple(float(one["value"] or 0.0) for _weight, one in known),
                "line",
                tuple(one.get("ci_low") for _weight, one in known),
                tuple(one.get("ci_high") for _weight, one in known),
            )
        )
    marks = tuple(Mark(at, f"{round(10 * at)}:{round(10 * (1 - at))}") for at in MARKED)
    x = _("weight of %(first)s (the rest: %(second)s)") % {
        "first": curve["first"], "second": curve["second"],
    }  # fmt: skip
    return Figure("", Axis(x, 0, 1), Axis(_("correlation with people")), tuple(series), marks=marks)

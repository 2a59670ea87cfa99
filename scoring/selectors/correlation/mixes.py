"""Mixes of metrics: two by weight, and all fitted to human judgments; computed on request."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from paraanno.translated import translated
from scoring.figures import Axis, Figure, Mark, Series
from scoring.models import Run
from scoring.selectors.correlation.columns import UnitColumns
from scoring.stats import Bootstrap
from scoring.stats.estimate import ITEMS
from scoring.stats.evaluation.catalogue import at
from scoring.stats.evaluation.mixes import (
    FITS,
    MARKED,
    SCALES,
    BestMix,
    MixCurve,
    best_mix,
    mix_curve,
)

# With more texts the page shows no intervals: they would take too long.
MOST_DRAWN = 5000
PLAN = Bootstrap(500, seed=0, clusters=ITEMS)


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


def mix_figure(curve: MixCurve) -> Figure:
    """Pearson and Spearman over the weight of the first metric."""
    series = []
    for key, label in at("curve").items():
        known = [
            (weight, one)
            for weight, one in zip(curve.weights, getattr(curve, key), strict=True)
            if one.value is not None
        ]
        series.append(
            Series(
                translated(label),
                tuple(weight for weight, _one in known),
                tuple(float(one.value or 0.0) for _weight, one in known),
                "line",
                tuple(one.ci_low for _weight, one in known),
                tuple(one.ci_high for _weight, one in known),
            )
        )
    marks = tuple(Mark(at, f"{round(10 * at)}:{round(10 * (1 - at))}") for at in MARKED)
    x = _("weight of %(first)s (the rest: %(second)s)") % {
        "first": curve.first, "second": curve.second,
    }  # fmt: skip
    return Figure("", Axis(x, 0, 1), Axis(_("correlation with people")), tuple(series), marks=marks)

"""Two metrics mixed, and all of them fitted to people: computed when asked for."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from scoring.figures import Axis, Figure, Mark, Series
from scoring.models import Run
from scoring.selectors.columns import Columns
from scoring.stats import Bootstrap
from scoring.stats.mixes import (
    FITS,
    MARKED,
    SCALES,
    BestMix,
    MixCurve,
    best_mix,
    mix_curve,
)

# Above so many texts the page shows no intervals: it would have to be waited for.
MOST_DRAWN = 5000
PLAN = Bootstrap(500, seed=0, clusters="items")


def mix_get(*, columns: Columns, runs: tuple[Run, Run], human: str, scale: str) -> MixCurve:
    """The correlation of w A + (1 - w) B with people; intervals up to 5,000 texts. A metric for
    which lower is better is mixed with its sign turned. `columns` hold the two runs."""
    first, second = (
        (columns.labels[run.pk], columns.metrics[columns.labels[run.pk]]) for run in runs
    )
    return mix_curve(
        columns.human[human], first, second, columns.ratings.item, _plan(columns), scale=scale
    )


def best_mix_get(*, columns: Columns, human: str, fit: str) -> BestMix:
    """The best linear mix of all metrics, judged on items that it was not fitted on."""
    return best_mix(
        columns.human[human], columns.metrics, columns.ratings.item, _plan(columns), fit=fit
    )


def mixed(runs: list[Run], data: Mapping[str, str]) -> tuple[Run, Run]:
    """The two runs that the address names, else the first two; never one with itself."""
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


def _plan(columns: Columns) -> Bootstrap | None:
    return PLAN if len(columns.ratings.units) <= MOST_DRAWN else None


def mix_figure(curve: MixCurve) -> Figure:
    """Pearson and Spearman over the weight of the first metric."""
    series = []
    for name, column in (("Pearson r", curve.pearson), ("Spearman ρ", curve.spearman)):
        known = [
            (weight, one)
            for weight, one in zip(curve.weights, column, strict=True)
            if one.value is not None
        ]
        series.append(
            Series(
                name,
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

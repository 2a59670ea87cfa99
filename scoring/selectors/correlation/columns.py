"""Human judgments and metric scores as columns on the same units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from annotation.models import Campaign
from scoring.models import Run
from scoring.selectors.gold.values import gold_get
from scoring.selectors.ratings.tables import Choice, FloatArray, Ratings, ratings_get
from scoring.selectors.runs import newest_done_runs, run_columns, run_labels


@dataclass(frozen=True, eq=False)
class UnitColumns:
    """Columns aligned with `ratings.units`; NaN means missing.

    `said` holds gold by `choice.method` on each ordered scale and on their sum, `scored` the newest
    finished run of each metric with its options, both with their original sign. `human` and
    `metrics` hold the same with the sign reversed if lower is better, so that larger always means
    better. `passed` is 1 if the gold reaches every threshold, else 0.
    """

    ratings: Ratings
    runs: list[Run]
    said: dict[str, FloatArray]
    scored: dict[str, FloatArray]
    passed: FloatArray
    turned_human: tuple[str, ...]

    @cached_property
    def labels(self) -> dict[int, str]:
        """A unique name for each run, by its id."""
        return run_labels(self.runs)

    @cached_property
    def human(self) -> dict[str, FloatArray]:
        return {
            name: -column if name in self.turned_human else column
            for name, column in self.said.items()
        }

    @cached_property
    def metrics(self) -> dict[str, FloatArray]:
        return {
            self.labels[run.pk]: column if run.higher_is_better else -column
            for run in self.runs
            for column in [self.scored[self.labels[run.pk]]]
        }


def columns_get(
    *,
    campaign: Campaign,
    choice: Choice = Choice(),  # noqa: B008 frozen
    runs: Sequence[Run] | None = None,
) -> UnitColumns:
    """Gold and scores on the units of the choice; a constant number of queries.

    `runs` defaults to the newest finished run of each metric with its options. Imported gold fills
    in where judgments are missing; nominal scales have no column.
    """
    ratings = ratings_get(campaign=campaign, choice=choice)
    made = gold_get(campaign=campaign, ratings=ratings, choice=choice)
    gold = made.columns
    said = {
        name: np.asarray(gold[name].value, dtype=np.float64)
        for name in ratings.columns()
        if name in gold
    }
    better = {scale.name: scale.higher_is_better for scale in ratings.scales}
    turned = tuple(
        name for name in said if not all(better[part] for part in parts_of(name, ratings))
    )
    runs = newest_done_runs(campaign=campaign) if runs is None else list(runs)
    scores = run_columns(runs=runs, substitutions=ratings.units)
    labels = run_labels(runs)
    scored = {labels[run.pk]: scores[run.pk] for run in runs}
    return UnitColumns(ratings, runs, said, scored, made.passes.value, turned)


def parts_of(name: str, ratings: Ratings) -> list[str]:
    """The scales of a column: the scale itself, or all ordered ones for their sum."""
    scales = [scale.name for scale in ratings.scales]
    return [name] if name in scales else [one for one in ratings.columns() if one in scales]

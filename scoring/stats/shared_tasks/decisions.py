"""Submissions against the frozen gold: which pairs they order as people do, by original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.stats.evaluation.pairwise import PairDecisions, direction
from scoring.stats.shared_tasks.frozen import Frozen, Rule
from scoring.stats.shared_tasks.submissions import Answers
from scoring.stats.table import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class PairTally:
    """Counts of one submission in the G clusters of a part: pairs that people tell apart, those
    in their order, and those that the submission ties."""

    pairs: FloatArray
    right: FloatArray
    tied: FloatArray

    @property
    def credit(self) -> FloatArray:
        """(G,) pairs in order, a tie counting half."""
        return self.right + self.tied / 2

    @property
    def strict(self) -> float | None:
        """The share of pairs in order, ties being wrong; None without pairs."""
        total = float(self.pairs.sum())
        return float(self.right.sum()) / total if total else None

    @property
    def half(self) -> float | None:
        """The share of pairs in order, ties counting half; None without pairs."""
        total = float(self.pairs.sum())
        return float(self.credit.sum()) / total if total else None


def decisions(answers: Answers, frozen: Frozen) -> IntArray:
    """Return the (P,) directions of a submission: 1 for a, -1 for b, 0 for a tie.

    Scores decide by which text has the higher one; equal within rounding error is a tie.
    """
    if answers.form == "choice":
        return np.array([answers.values[one] for one in frozen.pairs], dtype=np.int64)
    return np.asarray(direction(scores(answers, frozen), frozen.a, frozen.b), dtype=np.int64)


def scores(answers: Answers, frozen: Frozen) -> FloatArray:
    """Return the (T,) scores of a submission of scores."""
    return np.array([answers.values[one] for one in frozen.ids], dtype=np.float64)


def part_of(frozen: Frozen, part: str) -> BoolArray:
    """(C,) which clusters are in a part: public, or final."""
    public = np.zeros(int(frozen.cluster.max(initial=-1)) + 1, dtype=bool)
    public[frozen.cluster[frozen.public]] = True
    return public if part == "public" else ~public


def tally(said: IntArray, frozen: Frozen, rule: Rule, part: str) -> PairTally:
    """Count a submission's decisions on the pairs of a part that people tell apart."""
    people, cluster = frozen.people(rule), frozen.pair_cluster
    inside = part_of(frozen, part)
    counted = (people != 0) & inside[cluster]
    groups = inside.size

    def count(rows: BoolArray) -> FloatArray:
        found = np.bincount(cluster[counted & rows], minlength=groups)
        return found[inside].astype(np.float64)

    return PairTally(
        count(np.ones(people.size, dtype=bool)), count(said == people), count(said == 0)
    )


def decisions_together(
    said: Mapping[str, IntArray], frozen: Frozen, rule: Rule, part: str
) -> PairDecisions:
    """The counts that White's tables and McNemar's test need, a column for each submission."""
    people, cluster = frozen.people(rule), frozen.pair_cluster
    inside = part_of(frozen, part)
    counted = np.flatnonzero((people != 0) & inside[cluster])
    tallies = [tally(one, frozen, rule, part) for one in said.values()]
    yes = np.column_stack([one[counted] == people[counted] for one in said.values()])
    right = yes.astype(np.float64)
    return PairDecisions(
        tallies[0].pairs,
        np.column_stack([one.right for one in tallies]),
        np.column_stack([one.tied for one in tallies]),
        right.T @ (1 - right),
    )


def combined(model: FloatArray, metric: FloatArray) -> FloatArray:
    """Return a model's scores plus a metric's, each moved to 0 to 1 (White 2012, section 3)."""
    return _from_0_to_1(model) + _from_0_to_1(metric)


def _from_0_to_1(values: FloatArray) -> FloatArray:
    if not values.size:
        return values
    low, high = float(values.min()), float(values.max())
    return np.asarray((values - low) / ((high - low) or 1.0))


def choices_of(said: Sequence[int]) -> list[str]:
    """Directions as a submission writes them."""
    return [{1: "a", -1: "b", 0: "="}[int(one)] for one in said]

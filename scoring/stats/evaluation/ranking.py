"""Syntactic paraphrase ranking: which of two paraphrases of one sentence do people prefer?

Source: White 2012. Pairs within an original are compared; paraphrases equal to the reference and
pairs tied by humans are omitted. Accuracy is the share of pairs that a column orders as humans do:
strict (its ties are wrong) and with half credit for ties, because White does not say which. Marks
are by a permutation test by cluster, which keeps its level if pairs are correlated; his test,
McNemar's with pairs assumed independent, is given too, under that name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from paraanno.common.texts import NOTHING, Sentence, say
from scoring.stats.evaluation.json_types import AccuracyJson, MarkedJson, RankingJson
from scoring.stats.evaluation.pairwise import (
    MOST_PAIRS,
    NONE_TOLD,
    Majority,
    PairDecisions,
    cluster_pairs,
    direction,
    number_of_pairs,
    pair_decisions,
)
from scoring.stats.significance.paired import Clustering, Sample, mcnemar_clustering, sample_of
from scoring.stats.significance.swaps import mcnemar, sign_flip
from scoring.stats.table import BoolArray, FloatArray, IntArray

NONE_SCORED = say("undefined: no text has a value from people and a score by every metric")

STARS = ((0.01, 3), (0.05, 2), (0.1, 1))
LEGEND = say(
    "White 2012: one mark for p < .1, two for p < .05, three for p < .01 (elsewhere these marks "
    "often mean .05, .01 and .001). * against the metric alone, † against the model in the "
    "previous row; swap of whole clusters"
)
LEGEND_INDEPENDENT = say(
    "The same marks as in the paper: by McNemar's test, pairs of texts taken as independent"
)
MODEL = "Model"
TOO_MANY = say("undefined: over %(n)s pairs within originals", n=f"{MOST_PAIRS:,}")


@dataclass(frozen=True)
class Layout:
    """The layout of White's tables: rows are models, each with or without a metric.

    models        row names; also the column of the model's own score, if any (his Table 3)
    metrics       columns of the metrics alone
    combinations  {(model, metric): column of their combination}
    """

    models: Sequence[str] = ()
    metrics: Sequence[str] = ()
    combinations: Mapping[tuple[str, str], str] = field(default_factory=dict)


@dataclass(frozen=True)
class Accuracy:
    """Share of `pairs` ordered correctly, a metric tie counting 0 (strict) or half (half)."""

    strict: float
    half: float
    ties: int
    pairs: int

    def to_json(self) -> AccuracyJson:
        return {
            "strict": self.strict,
            "half": self.half,
            "ties": self.ties,
            "pairs": self.pairs,
        }


@dataclass(frozen=True)
class Marked:
    """Test of one column against another.

    mcnemar_p, swap_p  of McNemar's test and the permutation by cluster (None if undefined)
    better             whether the column has the higher accuracy
    """

    column: str
    other: str
    mcnemar_p: float
    swap_p: float | None
    better: bool
    clustering: Clustering

    def marks(self, sign: str = "*", independent: bool = False) -> str:
        p = self.mcnemar_p if independent else self.swap_p
        return "" if p is None else sign * next((n for least, n in STARS if p < least), 0)

    def to_json(self) -> MarkedJson:
        return {
            "column": self.column,
            "other": self.other,
            "mcnemar_p": self.mcnemar_p,
            "swap_p": self.swap_p,
            "better": self.better,
            "marks": len(self.marks()),
            "marks_by_swap": len(self.marks()),
            "marks_independent": len(self.marks("*", True)),
            "clustering": self.clustering.to_json(),
            "too_bold": self.clustering.too_bold,
        }


@dataclass(frozen=True, eq=False)
class Ranking:
    """Accuracies by column, the table in White's format with marks by swap and by his own test, and
    the tests behind the marks.

    originals, pairs, excluded (units equal to the reference) and tied (pairs tied by humans) are
    counts; so is differ, if a majority ranks (None if not): pairs, ties among them, whose direction
    is another by the values.
    """

    accuracies: Mapping[str, Accuracy]
    tests: Sequence[Marked]
    table: Sequence[Sequence[str]]
    originals: int
    pairs: int
    tied: int
    excluded: int
    reason: Sentence = NOTHING
    differ: int | None = None
    independent: Sequence[Sequence[str]] = ()

    def to_json(self) -> RankingJson:
        return {
            "accuracies": {name: one.to_json() for name, one in self.accuracies.items()},
            "tests": [one.to_json() for one in self.tests],
            "table": [list(row) for row in self.table],
            "legend": LEGEND,
            "table_independent": [list(row) for row in self.independent],
            "legend_independent": LEGEND_INDEPENDENT,
            "originals": self.originals,
            "pairs": self.pairs,
            "tied": self.tied,
            "excluded": self.excluded,
            "reason": self.reason or None,
            "differ": self.differ,
        }


def paraphrase_ranking(
    human: FloatArray,
    columns: Mapping[str, FloatArray],
    items: IntArray,
    *,
    clusters: IntArray | None = None,
    exact: BoolArray | None = None,
    layout: Layout | None = None,
    half_credit: bool = False,
    permutations: int = 10_000,
    seed: int = 0,
    majority: Majority | None = None,
) -> Ranking:
    """Rank paraphrases by human (n,) and by columns {name: (n,)}; higher values are better.

    columns are metrics, models and their combinations.
    items     (n,) codes of the originals, whose texts are compared
    clusters  (n,) codes of what the tests swap, such as the phrases; default: the items
    exact   (n,) units whose text equals the reference, which are omitted
    layout  default: one row, every column a metric
    majority  people prefer what most annotators do, not the text of the greater value; `differ`
            counts the pairs whose direction this changes
    half_credit  show half-credit instead of strict accuracy in the table
    Only units with the human value and all columns are used, so that all columns are evaluated on
    the same pairs. Raises ValueError for a layout with an unknown column.
    """
    layout = layout or Layout(metrics=tuple(columns))
    _check(layout, columns)
    included = np.ones(human.size, dtype=bool) if exact is None else ~exact
    complete = np.where(included, human, np.nan)
    sample = sample_of(complete, columns, items if clusters is None else clusters, items)
    names, every = list(columns), number_of_pairs(sample.within)
    excluded = int((~included).sum())
    many = every > MOST_PAIRS
    prefer = None if majority is None else _among(majority, sample)
    decisions = None if many else pair_decisions(sample.x, sample.y, sample.within, prefer)
    if decisions is None or not decisions.pairs.sum():
        reason = TOO_MANY if many else NONE_TOLD if sample.x.size else NONE_SCORED
        return Ranking({}, [], [], 0, 0, 0 if many else every, excluded, reason)
    ranking = ranking_of(
        decisions,
        names,
        layout,
        by_cluster=decisions.by_cluster(sample),
        tied=every - int(decisions.pairs.sum()),
        excluded=excluded,
        half_credit=half_credit,
        permutations=permutations,
        seed=seed,
    )
    if prefer is None:
        return ranking
    return replace(
        ranking,
        differ=sum(
            int((prefer(i, j) != direction(sample.x, i, j)).sum())
            for i, j in cluster_pairs(sample.within)
        ),
    )


def _among(majority: Majority, sample: Sample) -> Callable[[IntArray, IntArray], IntArray]:
    """Return the majority's directions for rows of a sample of the units."""
    rows = np.flatnonzero(np.unpackbits(np.frombuffer(sample.rows, np.uint8)))
    return lambda i, j: majority(rows[i], rows[j])


def ranking_of(
    decisions: PairDecisions,
    names: Sequence[str],
    layout: Layout,
    *,
    tied: int,
    excluded: int,
    by_cluster: PairDecisions | None = None,
    half_credit: bool = False,
    permutations: int = 10_000,
    seed: int = 0,
) -> Ranking:
    """Do the same from counted decisions of the columns `names`, of which some are not scores, by
    original and, for the tests, `by_cluster` (default: the same)."""
    pairs = int(decisions.pairs.sum())
    accuracies = {
        name: Accuracy(
            float(decisions.right[:, place].sum()) / pairs,
            float(decisions.credit[:, place].sum()) / pairs,
            int(decisions.tied[:, place].sum()),
            pairs,
        )
        for place, name in enumerate(names)
    }
    own = decisions if by_cluster is None else by_cluster
    tests = tests_between(own, names, _tested_pairs(layout, names), permutations, seed)
    return Ranking(
        accuracies,
        list(tests.values()),
        _table(layout, accuracies, tests, half_credit),
        int((decisions.pairs > 0).sum()),
        pairs,
        tied,
        excluded,
        independent=_table(layout, accuracies, tests, half_credit, independent=True),
    )


def _check(layout: Layout, columns: Mapping[str, FloatArray]) -> None:
    for (model, metric), name in layout.combinations.items():
        if model not in layout.models or metric not in layout.metrics:
            raise ValueError(f"{model} with {metric} is no row and column of the table")
        if name not in columns:
            raise ValueError(f"there is no column {name}")
    if missing := [name for name in layout.metrics if name not in columns]:
        raise ValueError(f"there is no column {missing[0]}")


def _tested_pairs(layout: Layout, columns: Collection[str]) -> list[tuple[str, str]]:
    """Return the tests: combinations against their metric, and rows against the previous model."""
    pairs = [(name, metric) for (_, metric), name in layout.combinations.items()]
    for before, model in zip(layout.models, layout.models[1:], strict=False):
        if before in columns and model in columns:
            pairs.append((model, before))
        for metric in layout.metrics:
            one, other = (layout.combinations.get((row, metric)) for row in (model, before))
            if one is not None and other is not None:
                pairs.append((one, other))
    return pairs


def tests_between(
    decisions: PairDecisions,
    names: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    permutations: int,
    seed: int,
) -> dict[tuple[str, str], Marked]:
    """Return McNemar's test and the permutation by original of each asked pair of columns."""
    if not pairs:
        return {}
    places = np.array([[names.index(one) for one in pair] for pair in pairs])
    gaps = (decisions.right[:, places[:, 0]] - decisions.right[:, places[:, 1]]).T
    there = np.broadcast_to(decisions.pairs > 0, gaps.shape)
    swaps = sign_flip(gaps, there, permutations=permutations, seed=seed)
    bold = mcnemar_clustering(decisions.right, decisions.only, places)
    tests = {}
    for pair, (a, b), swap, clustering in zip(pairs, places, swaps, bold, strict=True):
        one, other = int(decisions.only[a, b]), int(decisions.only[b, a])
        p_value = mcnemar(one, other).p_value
        tests[pair] = Marked(*pair, float(p_value or 0), swap.p_value, one > other, clustering)
    return tests


def _table(
    layout: Layout,
    accuracies: Mapping[str, Accuracy],
    tests: Mapping[tuple[str, str], Marked],
    half_credit: bool,
    *,
    independent: bool = False,
) -> list[list[str]]:
    """Return header and rows: the model alone (if any), then each metric and its combination.

    A metric alone is the same in every row, so only the first row shows it, as in the source.
    """
    alone = any(model in accuracies for model in layout.models)
    combined = {metric for _, metric in layout.combinations}
    head = [""] + [MODEL] * alone
    for metric in layout.metrics:
        head += [metric] + [f"{MODEL}+{metric}"] * (metric in combined)
    rows = [head]

    def cell(name: str | None, against: Sequence[tuple[str | None, str]]) -> str:
        if name is None or name not in accuracies:
            return "-"
        accuracy = accuracies[name]
        marks = "".join(
            tests[name, other].marks(sign, independent)
            for other, sign in against
            if other is not None and (name, other) in tests
        )
        share = accuracy.half if half_credit else accuracy.strict
        return f"{100 * share:.1f}" + (f" ({marks})" if marks else "")

    for place, model in enumerate(layout.models or [""]):
        before = layout.models[place - 1] if place else None
        row = [model]
        if alone:
            row.append(cell(model, [(before, "†")]))
        for metric in layout.metrics:
            row.append(cell(metric, []) if place == 0 else "-")
            if metric in combined:
                previous = layout.combinations.get((before or "", metric))
                name = layout.combinations.get((model, metric))
                row.append(cell(name, [(metric, "*"), (previous, "†")]))
        rows.append(row)
    return rows

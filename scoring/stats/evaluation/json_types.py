"""The parts of the reports about metrics and people, as JSON holds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict

from scoring.stats.evaluation.mixes import BestMixJson, MixCurveJson
from scoring.stats.significance.paired import ClusteringJson, LooksJson
from scoring.stats.table import EstimateJson

# By the name of the coefficient; by the label of the metric, and in it by that name.
Named = Mapping[str, EstimateJson]
ByMetric = Mapping[str, Named]


class Zou(TypedDict):
    low: float
    high: float
    method: str


class DecisionsJson(TypedDict):
    """Pairs of texts that only one of two metrics orders as humans do, and both or neither;
    `better`: "a" or "b", which is right more often where they differ."""

    only_a: int
    only_b: int
    concordant: int
    better: str | None


class ComparisonTests(TypedDict):
    """p-values; None where a test is undefined. Old reports and single units lack some."""

    permutation_p: NotRequired[float | None]
    holm_p: NotRequired[float | None]
    permutation_spearman_p: NotRequired[float | None]
    holm_spearman_p: NotRequired[float | None]
    permutation_accuracy_p: NotRequired[float | None]
    holm_accuracy_p: NotRequired[float | None]
    williams_p: NotRequired[float | None]
    steiger_p: NotRequired[float | None]
    meng_p: NotRequired[float | None]
    mcnemar_p: NotRequired[float | None]
    mcnemar_clustered_p: NotRequired[float | None]


class ComparisonJson(ComparisonTests):
    """Two metrics on one human column; see `comparison.Comparison`."""

    a: str
    b: str
    n: int
    difference: EstimateJson | None
    difference_spearman: NotRequired[EstimateJson | None]
    difference_accuracy: NotRequired[EstimateJson | None]
    zou: NotRequired[Zou | None]
    clustering: NotRequired[ClusteringJson | None]
    mcnemar_clustering: NotRequired[ClusteringJson | None]
    decisions: NotRequired[DecisionsJson | None]
    methods: NotRequired[Mapping[str, str]]
    reasons: NotRequired[Mapping[str, str]]
    warnings: NotRequired[Mapping[str, str]]


class SystemPoint(TypedDict):
    """A system: its mean human value and its score."""

    system: str
    human: float
    metric: float


class OtherFirst(TypedDict):
    """The system that a metric puts first and the one that people do, with people's means."""

    metric: str
    human: str
    means: list[float]


class SystemLevelJson(TypedDict):
    """A metric over systems; a coefficient that was not asked for is not there."""

    systems: list[SystemPoint]
    pearson: NotRequired[EstimateJson]
    pearson_corrected: NotRequired[EstimateJson]
    spearman: NotRequired[EstimateJson]
    kendall: NotRequired[EstimateJson]
    pairwise_accuracy: NotRequired[EstimateJson]
    soft_pairwise_accuracy: NotRequired[EstimateJson]


class AgainstCeilingJson(TypedDict):
    disattenuated: EstimateJson
    share: EstimateJson


class HumanJson(TypedDict):
    """One human column; see `report.HumanPart`."""

    metrics: ByMetric
    comparisons: list[ComparisonJson]
    further: NotRequired[ByMetric]
    significance_clusters: NotRequired[Mapping[str, list[list[str]]]]
    significance_letters: NotRequired[Mapping[str, Mapping[str, str]]]
    within_originals: NotRequired[ByMetric]
    per_system: NotRequired[Mapping[str, ByMetric]]
    systems: NotRequired[Mapping[str, SystemLevelJson]]
    other_first: NotRequired[Mapping[str, OtherFirst]]
    corpus: NotRequired[Mapping[str, SystemLevelJson]]
    against_ceiling: NotRequired[Mapping[str, Mapping[str, AgainstCeilingJson]]]


class RocJson(TypedDict):
    area: EstimateJson
    curve: list[list[float | None]]


class MatrixJson(TypedDict):
    """See `distributions.Matrix`."""

    names: list[str]
    coefficient: str
    value: list[list[float | None]]
    n: list[list[int]]


class RunJson(TypedDict):
    """A run behind a column; `turned` where lower is better, `met` what its texts were compared
    with (reports and runs of earlier versions do not know it). `old_language`: the language of the
    texts was changed after the run, which read it."""

    key: str
    label: str
    signature: str
    met: NotRequired[dict[str, int] | None]
    turned: bool
    old_language: NotRequired[bool]
    finished_at: str | None


class RunsAbout(TypedDict):
    """What all reports of a campaign about metrics say: the runs, and the human columns turned."""

    turned: list[str]
    runs: list[RunJson]


class MetaJson(TypedDict):
    """What `report.MetaEvaluation` finds in columns."""

    human: Mapping[str, HumanJson]
    n: int
    clusters: int | None
    warning: NotRequired[str | None]
    roc: NotRequired[Mapping[str, RocJson]]


class SystemsReport(MetaJson, RunsAbout):
    """`correlation-systems` of a campaign."""


class CorrelationReport(SystemsReport):
    """`correlation` of a campaign: with the ceiling, and how metrics correlate with each other."""

    ceiling: Mapping[str, Mapping[str, Named]]
    looks: NotRequired[LooksJson]
    among: MatrixJson


class MixesReport(RunsAbout):
    """`mixes` of a campaign; None without two metrics or an ordered scale."""

    curve: MixCurveJson | None
    best: BestMixJson | None


class PointsReport(TypedDict):
    """`one-metric` of a campaign: the texts (ids) with a score and gold, one number each.

    `run` is the key of the run, None if none is finished; `turned`: lower is better for people;
    `passed` is 1, 0, or None where a scale has no gold."""

    run: str | None
    human: str
    turned: bool
    units: list[int]
    metric: list[float]
    people: list[float]
    passed: list[int | None]


class StabilityPointJson(TypedDict):
    size: int
    mean: float | None
    low: float | None
    high: float | None


class CurveJson(TypedDict):
    """See `stability.Curve`."""

    metric: str
    coefficient: str
    units: int
    draws: int
    seed: int
    points: list[StabilityPointJson]
    reason: str | None


class PowerJson(TypedDict):
    """See `power.Power`."""

    a: str
    b: str
    coefficient: str
    difference: EstimateJson
    originals: int
    units: int
    error: float | None
    power: float | None
    needed: int | None
    units_needed: int | None
    curve: list[list[float]]


class HumanStability(TypedDict):
    items: list[CurveJson]
    annotators: list[CurveJson]
    power: list[PowerJson]


class StabilityReport(RunsAbout):
    """`stability` of a campaign."""

    human: Mapping[str, HumanStability]
    n: int


class AccuracyJson(TypedDict):
    strict: float
    half: float
    ties: int
    pairs: int


class MarkedJson(TypedDict):
    """See `ranking.Marked`."""

    column: str
    other: str
    mcnemar_p: float
    swap_p: float | None
    better: bool
    marks: int
    marks_by_swap: int
    marks_independent: NotRequired[int]
    clustering: ClusteringJson
    too_bold: bool


class RankingJson(TypedDict):
    """See `ranking.Ranking`."""

    accuracies: Mapping[str, AccuracyJson]
    tests: list[MarkedJson]
    table: list[list[str]]
    legend: str
    table_independent: NotRequired[list[list[str]]]
    legend_independent: NotRequired[str]
    originals: int
    pairs: int
    tied: int
    excluded: int
    reason: str | None
    differ: NotRequired[int | None]


class RankingReport(RunsAbout):
    """`ranking` of a campaign; `majority`: the same with the majority of annotators as gold, None
    where they are anonymous (reports of earlier versions lack it)."""

    human: Mapping[str, RankingJson]
    majority: NotRequired[Mapping[str, RankingJson | None]]
    metrics: list[str]

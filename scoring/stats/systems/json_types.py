"""The parts of the reports on systems, as JSON holds them."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from scoring.stats.significance.looks import LooksJson
from scoring.stats.systems.intervals import IntervalJson


class PairCountsJson(TypedDict):
    items: int
    n: int
    ties: int


class PairDifference(TypedDict):
    a_value: float | None
    b_value: float | None
    difference: float | None
    interval: IntervalJson


class PairTest(TypedDict):
    p_value: float | None
    p_holm: float | None
    p_max_t: float | None
    method: str
    reason: str | None


class McNemar(TypedDict):
    """Pass decisions on both systems; old reports lack what is not required.

    p_clustered   of the test that allows for decisions on one phrase being alike; p_value: of the
                  exact one, which does not, and whose false alarms at .05 are `level`
    better        "a" or "b": which of the two passes more often where they differ
    only_a, only_b, concordant   decisions that only one passes, and those that are the same
    """

    p_value: float | None
    p_clustered: NotRequired[float | None]
    level: NotRequired[float | None]
    better: NotRequired[str | None]
    only_a: int
    only_b: int
    concordant: NotRequired[int]
    n: int
    method: str
    method_clustered: NotRequired[str]
    reason: str | None
    reason_clustered: NotRequired[str | None]


class SystemPairRow(PairCountsJson, PairDifference, PairTest):
    """Two systems by one outcome."""

    outcome: str
    scale: str | None
    a: str
    b: str


class SystemPair(SystemPairRow):
    """`mcnemar` where the outcome is passing on all scales."""

    mcnemar: NotRequired[McNemar]


class Cluster(TypedDict):
    """The systems by one outcome, in groups that no test tells apart, and [lowest, highest] rank of
    each; old reports have the groups alone, by Holm."""

    outcome: str
    scale: str | None
    groups: list[list[str]]
    groups_unadjusted: NotRequired[list[list[str]]]
    ranks: NotRequired[dict[str, list[int]]]
    without: list[str]


# A key that is a word of Python keeps these two from the other form. Results of a time when there
# was no mean, nor intervals, lack them.
Passing = TypedDict(
    "Passing",
    {
        "pass": float | None,
        "pass_n": NotRequired[int],
        "pass_interval": NotRequired[IntervalJson | None],
        "pass_bootstrap": NotRequired[IntervalJson | None],
    },
)


class ScaleShares(Passing):
    """One system on one scale."""

    n: int
    distribution: dict[str, float]
    mean: NotRequired[float | None]
    mean_bootstrap: NotRequired[IntervalJson | None]


class SystemShares(TypedDict):
    """One system."""

    n: int
    coverage: float | None
    scales: dict[str, ScaleShares]
    pass_all: float | None
    pass_all_n: NotRequired[int]
    pass_all_interval: NotRequired[IntervalJson | None]
    pass_all_bootstrap: NotRequired[IntervalJson | None]


class ComparedSystems(TypedDict):
    """The pairs and the groups; `pairs_reason` says why there are none."""

    pairs: list[SystemPair]
    pairs_reason: str | None
    clusters: list[Cluster]
    cluster_rule: str
    alpha: float


class GoldRule(TypedDict):
    """By which method gold was made, and why nothing passes where nothing can."""

    method: str
    made_by: str
    pass_reason: str | None


class ResultsReport(TypedDict):
    """What is not required is lacking where there is no rating, or in old reports."""

    thresholds: dict[str, float]
    systems: dict[str, SystemShares]
    unit: NotRequired[str]
    phrases: NotRequired[int]
    phrases_excluded: NotRequired[int]
    exclusion_rule: NotRequired[str]
    contexts: NotRequired[int]
    judgments: NotRequired[int]
    warning: NotRequired[str | None]
    pairs: NotRequired[list[SystemPair]]
    pairs_reason: NotRequired[str | None]
    clusters: NotRequired[list[Cluster]]
    cluster_rule: NotRequired[str]
    alpha: NotRequired[float]
    gold: NotRequired[GoldRule]
    looks: NotRequired[LooksJson]

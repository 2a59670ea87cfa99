"""The parts of the reports on gold, as JSON holds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict


class Summary(TypedDict):
    """See `compare.summary`."""

    n: int
    mean: float | None
    sd: float | None
    quartiles: list[float] | None
    distribution: dict[str, int]
    confidence: float | None
    confidence_is: str
    interval_width: float | None
    interval: str
    method: str
    reason: str | None


class MethodSummary(TypedDict):
    """What one method makes of the judgments."""

    columns: Mapping[str, Summary]
    passes: Summary


class MethodPair(TypedDict):
    """Two methods, and how many texts have a value (a decision) by both."""

    a: str
    b: str
    n: int


class Correlated(MethodPair):
    pearson: float | None
    spearman: float | None
    reason: str | None


class Differing(MethodPair):
    """`differ` texts pass by one method alone."""

    differ: int


class MethodComparison(TypedDict):
    columns: Mapping[str, list[Correlated]]
    passes: list[Differing]


class BorderlineText(TypedDict):
    """A decision that sampling error or one annotator could reverse."""

    unit: str
    value: float
    low: float | None
    high: float | None
    n: int
    passes: bool
    straddles: bool
    flips: int


class Decider(TypedDict):
    """How many decisions turn round, and how many vanish, without an annotator."""

    annotator: str
    flips: int
    lost: int


class BorderlineCounts(TypedDict):
    """How many decisions sampling error or one annotator could reverse, and which annotators."""

    threshold: float
    higher_is_better: bool
    interval: str
    decisions: int
    passing: int
    straddling: int
    flipping: int
    alone: int
    annotators: list[Decider] | None
    reason: str | None


class Borderline(BorderlineCounts):
    """See `compare.borderline`."""

    listed: list[BorderlineText]


class GoldReport(TypedDict):
    """See `compare.gold_report`."""

    methods: Mapping[str, MethodSummary]
    comparison: MethodComparison
    straddling: Mapping[str, Borderline]


class ValueColumn(TypedDict):
    """Gold of all texts as columns; `source` and `reason` number those of the lists.
    `posterior`: by models of labels, the probability of each label."""

    method: str
    interval: str
    confidence_is: str
    seed: int | None
    sources: list[str]
    reasons: list[str]
    value: list[float | None]
    n: list[int]
    spread: list[float | None]
    low: list[float | None]
    high: list[float | None]
    confidence: list[float | None]
    source: list[int]
    reason: list[int]
    posterior: NotRequired[dict[str, list[float | None]]]


class GoldValuesReport(TypedDict):
    """Gold of every text by one method, in the order of `units`."""

    method: str
    units: list[int]
    columns: Mapping[str, ValueColumn]
    passes: ValueColumn | None

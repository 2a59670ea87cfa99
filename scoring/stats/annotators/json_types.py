"""The parts of the report on annotators, as JSON holds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict, cast

from scoring.stats.estimate import Options


class StatisticJson(TypedDict):
    """A statistic of one annotator. What all of them share, the method, stands once beside."""

    value: float | None
    ci_low: NotRequired[float | None]
    ci_high: NotRequired[float | None]
    generalises_to: NotRequired[str | None]
    n: int
    options: Options
    reason: str | None
    # Of the trend: the line starts there; each dot is (place, difference, n).
    intercept: NotRequired[float | None]
    points: NotRequired[list[list[float]] | None]
    # By chance, and in the annotator's own values beside those of the others.
    expected: NotRequired[float | None]
    chance_low: NotRequired[float | None]
    chance_high: NotRequired[float | None]
    own_sd: NotRequired[float | None]
    others_sd: NotRequired[float | None]


class AnnotatorNumbers(TypedDict):
    """One annotator. The statistics stand beside `n_ratings`: `statistics_of` reads them."""

    n_ratings: int


class AnnotatorsBlock(TypedDict):
    """All annotators on one scale, or at their pace; `methods` of the statistics by name."""

    reason: str | None
    methods: Mapping[str, str]
    voices: Mapping[str, AnnotatorNumbers]


class KnownAnnotator(TypedDict):
    code: str
    key: str
    origin: str


class AnnotatorsReport(TypedDict):
    scales: dict[str, AnnotatorsBlock]
    fast_seconds: NotRequired[float]
    pace: AnnotatorsBlock
    voices: list[KnownAnnotator]


def statistics_of(numbers: AnnotatorNumbers) -> dict[str, StatisticJson]:
    """The statistics of one annotator by name."""
    return {
        name: cast(StatisticJson, part)
        for name, part in numbers.items()
        if isinstance(part, Mapping)
    }

"""The parts of the reports on agreement, as JSON holds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NotRequired, TypedDict, cast

from scoring.stats.agreement.extra_ratings import ExtraRatings
from scoring.stats.estimate import EstimateJson


class GoldInterval(TypedDict):
    """See `gold_interval.gold_interval`."""

    ci_low: float
    ci_high: float
    generalises_to: str
    new_annotators: bool


class AnswerJson(TypedDict):
    """See `verdict.answer`; old reports lack what is not required."""

    verdict: str
    agreed: NotRequired[float | None]
    gold: NotRequired[GoldInterval | None]
    fit: NotRequired[Literal["names", "two values", "ordered"]]
    coefficient: str
    icc: str
    why: str
    bands: list[str] | None
    few: int | None


class Disputed(TypedDict):
    """A unit whose ratings differ; a report of a campaign names its words in place of the unit."""

    unit: NotRequired[int]
    n: int
    spread: float
    values: list[float]
    text: NotRequired[str]
    phrase: NotRequired[str]
    item: NotRequired[str]
    language: NotRequired[str]


class CoursePart(TypedDict):
    """See `time_course.course`; `start` and `end` in seconds."""

    start: float
    end: float
    n: int
    alpha: EstimateJson


class Confusion(TypedDict):
    """How often `a` gave the value of the row where `b` gave that of the column."""

    a: str
    b: str
    cells: list[list[int]]


class Confusions(TypedDict):
    levels: list[str]
    pairs: list[Confusion]


class Sizes(TypedDict):
    n_units: int
    n_annotators: int | None
    n_ratings: int


class Block(Sizes):
    """What scales and passes share. The coefficients stand beside, each under its own name:
    `estimates_of` reads them. Old reports lack what is not required.

    leads, unfit  the coefficients that lead, in order, and those that do not fit the values
    specific      agreement on each value, where these are names or two
    """

    leads: NotRequired[list[str]]
    unfit: NotRequired[list[str]]
    specific: NotRequired[dict[str, EstimateJson]]
    groups: int
    left_out: dict[str, int]


class ScaleBlock(Block):
    """One scale. What is not required is only in reports of a campaign, or was not in old
    reports."""

    answer: NotRequired[AnswerJson]
    extra_ratings: NotRequired[ExtraRatings | None]
    distribution: NotRequired[dict[str, int]]
    disputed: NotRequired[list[Disputed]]
    confusions: NotRequired[Confusions | None]
    course: NotRequired[list[CoursePart]]
    influence: NotRequired[Influence]
    chance: NotRequired[Chance]


class PassBlock(Block):
    """Who passes."""

    thresholds: dict[str, float]
    share: float | None


class AnnotatorOrigin(TypedDict):
    code: str
    origin: str


class AgreementReport(TypedDict):
    scales: dict[str, ScaleBlock]
    passes: NotRequired[dict[str, PassBlock]]
    drawn: NotRequired[str]
    cannot_judge: NotRequired[dict[str, int]]
    voices: NotRequired[list[AnnotatorOrigin]]


class LeftOut(TypedDict):
    """The coefficients without one annotator, and what the annotator changes."""

    annotator: str
    n: int
    values: dict[str, float | None]
    change: dict[str, float | None]


class NewAnnotators(TypedDict):
    """A coefficient with its interval for new annotators."""

    value: float | None
    ci_low: float | None
    ci_high: float | None
    generalises_to: str | None
    interval: NotRequired[str]


class Influence(TypedDict):
    """See `influence.influence`; no `values` where there is a reason."""

    reason: str
    names: list[str]
    values: NotRequired[dict[str, float | None]]
    annotators: list[LeftOut]
    new_annotators: dict[str, NewAnnotators]


class ChanceTest(TypedDict):
    value: float
    p_value: float
    chance: float


class Chance(TypedDict):
    """See `influence.chance`."""

    reason: str
    method: str
    permutations: int
    tests: dict[str, ChanceTest]


class InfluenceBlock(TypedDict):
    influence: Influence
    chance: Chance


class InfluenceReport(TypedDict):
    drawn: NotRequired[str]
    scales: dict[str, InfluenceBlock]


def estimates_of(block: Block) -> dict[str, EstimateJson]:
    """The coefficients of a block by name."""
    return {
        name: cast(EstimateJson, part)
        for name, part in block.items()
        if isinstance(part, Mapping) and "value" in part
    }

"""The design of a campaign as plain values, for the parts of a paper that are not statistics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ScaleFacts:
    """One rating scale. `points` are (value, label, definition) in ascending order."""

    name: str
    question: str
    level: str
    minimum: float
    maximum: float
    step: float
    higher_is_better: bool
    threshold: float | None
    points: tuple[tuple[float, str, str], ...] = ()

    @property
    def size(self) -> int:
        """Number of scale values."""
        return round((self.maximum - self.minimum) / self.step) + 1

    def called(self, value: str) -> str:
        """A value as reports write it, with its label if it has one: `1 (word)`."""
        labels = {f"{at:.12g}": label for at, label, _definition in self.points}
        return f"{value} ({labels[value]})" if labels.get(value) else value

    @property
    def passes(self) -> str:
        """The pass criterion, as `MEANING >= 3`, or "" without a threshold."""
        if self.threshold is None:
            return ""
        return f"{self.name} {'>=' if self.higher_is_better else '<='} {self.threshold:g}"


@dataclass(frozen=True, slots=True)
class ExclusionFacts:
    """An exclusion in force. `rule` is the rule that made it, "" if a person did."""

    kind: str
    name: str
    reason: str
    since: str
    rule: str = ""
    withdrawal: bool = False


@dataclass(frozen=True, slots=True)
class RepeatFacts:
    """Hidden repeats on one scale: how many, and the shares with the same value and within one
    point of it."""

    n: int
    equal: float
    within: float


@dataclass(frozen=True, slots=True)
class CampaignDesign:
    """What the campaign was made of and who was asked what.

    whole          number of items whose phrase is the whole sentence, and of their phrases
    languages      number of items by language (BCP 47, "" where it is unknown)
    outputs        number of distinct texts by system
    sheets         number of sheets, and of those that everybody judges
    repeats        by scale
    told           background questions, each with how often which answer was given
    test_sets      how imported test sets were drawn: provenance of the imports, oldest first
    """

    whole: int = 0
    whole_phrases: int = 0
    languages: Mapping[str, int] = field(default_factory=dict)
    outputs: Mapping[str, int] = field(default_factory=dict)
    sheets: int = 0
    shared_sheets: int = 0
    exclusions: tuple[ExclusionFacts, ...] = ()
    repeats: Mapping[str, RepeatFacts] = field(default_factory=dict)
    told: tuple[str, ...] = ()
    test_sets: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a campaign. Counts are after exclusions, unless the name says otherwise.

    annotators     number of annotators with included judgments, by origin ("invited",
                   "simulated", ...)
    excluded       number of currently excluded targets of each kind
    unjudged       number of `texts` without a counted judgment
    checks         number of hidden checks of each kind ("controls", "degraded copies", ...)
    copied_from    short name of the campaign that it was copied from; "" if it was not
    pilot          whether it is a pilot of that one
    first, last    ISO dates of the first and the last included judgment; "" if there are none
    """

    slug: str
    name: str
    description: str
    scales: tuple[ScaleFacts, ...]
    systems: tuple[str, ...]
    items: int
    phrases: int
    texts: int
    per_sheet: int
    max_per_sheet: int | None
    layout: str
    annotators: Mapping[str, int]
    judgments: int
    cannot_judge: int
    first: str = ""
    last: str = ""
    guideline_version: int | None = None
    consent_version: int | None = None
    background: tuple[str, ...] = ()
    practice_required: bool = False
    practice_share: float | None = None
    checks: Mapping[str, int] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    excluded: Mapping[str, int] = field(default_factory=dict)
    withdrawn: int = 0
    unjudged: int = 0
    design: CampaignDesign = CampaignDesign()
    copied_from: str = ""
    pilot: bool = False

    @property
    def n_annotators(self) -> int:
        return sum(self.annotators.values())

    @property
    def simulated(self) -> int:
        """Number of simulated annotators, which a paper must not count as people."""
        return self.annotators.get("simulated", 0)

    @property
    def in_browser(self) -> bool:
        """Whether any judgment was given here; how imported ones were collected is unknown."""
        return bool(self.annotators.get("invited") or self.annotators.get("participant"))

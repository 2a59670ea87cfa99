"""What a campaign was, in plain values: the part of a paper that no statistic knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ScaleFacts:
    """One question. `points` are (value, label, definition) from the least to the greatest."""

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
        """How many values it has."""
        return round((self.maximum - self.minimum) / self.step) + 1

    @property
    def passes(self) -> str:
        """`MEANING >= 3`, or nothing where no threshold is set."""
        if self.threshold is None:
            return ""
        return f"{self.name} {'>=' if self.higher_is_better else '<='} {self.threshold:g}"


@dataclass(frozen=True, slots=True)
class Facts:
    """Counts are of what no exclusion leaves out, unless their name says otherwise.

    annotators     who gave judgments that count, by origin ("invited", "simulated", ...)
    excluded       how many targets of each kind are excluded now
    checks         hidden checks that were set up ("controls", "degraded copies", ...) with numbers
    first, last    dates of the first and the last judgment that counts, ISO; "" where there is none
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

    @property
    def n_annotators(self) -> int:
        return sum(self.annotators.values())

    @property
    def simulated(self) -> int:
        """Voices that a program made: no paper may call them people."""
        return self.annotators.get("simulated", 0)

    @property
    def in_browser(self) -> bool:
        """Whether anybody judged here; of imported judgments nobody knows what was shown."""
        return bool(self.annotators.get("invited") or self.annotators.get("participant"))

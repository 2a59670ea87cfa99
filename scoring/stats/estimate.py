"""The result type of all statistics in this package."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NotRequired, TypedDict, cast

from paraanno.plain.sentence import NOTHING, Sentence, say

Options = Mapping[str, Any]
# What is drawn, and what an interval covers.
UNITS, CLUSTERS = say("units"), say("clusters")
ITEMS, PHRASES = say("items"), say("phrases")
OUT_OF_RANGE = say("undefined: values beyond 1e100, or closer than 1e-100, are out of range")
NEW_UNITS, NEW_CLUSTERS = say("new units"), say("new clusters")


class PairJson(TypedDict):
    """A coefficient of two annotators within an estimate."""

    a: str
    b: str
    n: int
    value: float | None


class EstimateJson(TypedDict):
    """An estimate in a report: every part is there, and of the details those it was given."""

    value: float | None
    ci_low: float | None
    ci_high: float | None
    generalises_to: str | None
    n: int
    method: str
    options: Options
    seed: int | None
    reason: str | None
    also: NotRequired[list[Options]]
    pairs: NotRequired[list[PairJson]]
    pairs_left_out: NotRequired[int]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A point estimate with its interval and method, or the reason why it is undefined.

    value           the point estimate; None if and only if `reason` is given
    ci_low, ci_high 95 % interval, both or neither
    generalises_to  population of the interval ("new units", "new clusters"); None without one
    n               number of units used (pairs of units for pairwise accuracy)
    method          formula and variant, worded for a paper
    options, seed   further settings needed to reproduce the number
    details         further results (`pairs`, `p_value`), merged into the JSON

    Raises ValueError if these rules are violated or a number is not finite.
    """

    value: float | None
    ci_low: float | None = None
    ci_high: float | None = None
    generalises_to: Sentence | None = None
    n: int = 0
    method: Sentence = NOTHING
    options: Options = field(default_factory=dict)
    seed: int | None = None
    reason: Sentence = NOTHING
    details: Options = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.value is None) != bool(self.reason):
            raise ValueError("an estimate has either a value or a reason")
        if (self.ci_low is None) != (self.ci_high is None):
            raise ValueError("an interval needs both limits")
        if self.ci_low is not None and not self.generalises_to:
            raise ValueError("an interval needs generalises_to")
        for number in (self.value, self.ci_low, self.ci_high):
            if number is not None and not math.isfinite(number):
                raise ValueError(f"{number} is not finite: use undefined() with a reason")

    def with_interval(
        self,
        low: float,
        high: float,
        *,
        generalises_to: Sentence,
        options: Options,
        seed: int | None = None,
    ) -> Estimate:
        """Return the estimate with an interval and its options."""
        return replace(
            self,
            ci_low=low,
            ci_high=high,
            generalises_to=generalises_to,
            options={**self.options, **options},
            seed=seed,
        )

    def with_second(self, other: Estimate) -> Estimate:
        """Return the estimate with the interval of `other` as a second one, under `also`."""
        if other.ci_low is None:
            return self
        second = {
            "ci_low": other.ci_low,
            "ci_high": other.ci_high,
            "generalises_to": other.generalises_to,
            "interval": other.options.get("interval"),
        }
        return replace(self, details={**self.details, "also": [second]})

    def as_json(self) -> EstimateJson:
        """Return a plain dict for JSON; `reason` is null if the value is defined."""
        found: EstimateJson = {
            "value": self.value,
            "ci_low": self.ci_low,
            "ci_high": self.ci_high,
            "generalises_to": self.generalises_to,
            "n": self.n,
            "method": self.method,
            "options": dict(self.options),
            "seed": self.seed,
            "reason": self.reason or None,
        }
        return cast(EstimateJson, {**found, **self.details})


def undefined(
    reason: Sentence, *, n: int = 0, method: Sentence = NOTHING, details: Options | None = None
) -> Estimate:
    """Return an estimate without a value; undefined is never reported as 0 or NaN."""
    return Estimate(None, n=n, method=method, reason=reason, details=details or {})

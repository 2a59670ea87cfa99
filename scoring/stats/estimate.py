"""The one shape every statistic of this package answers with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with what is needed to trust it, or the reason why there is none.

    value           the point value; None if and only if `reason` says why
    ci_low, ci_high 95 % interval, both or neither
    generalises_to  what the interval speaks about ("new units", "new clusters"); None without one
    n               units that entered (pairs of units for pairwise accuracy)
    method          formula and variant, in words that can go into a paper
    options, seed   what else is needed to compute the same number again
    details         further parts of the answer (`pairs`, `p_value`), joined to the JSON

    Raises ValueError where these rules are broken or a number is not finite.
    """

    value: float | None
    ci_low: float | None = None
    ci_high: float | None = None
    generalises_to: str | None = None
    n: int = 0
    method: str = ""
    options: Options = field(default_factory=dict)
    seed: int | None = None
    reason: str = ""
    details: Options = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.value is None) != bool(self.reason):
            raise ValueError("an estimate has a value or a reason, never both and never neither")
        if (self.ci_low is None) != (self.ci_high is None):
            raise ValueError("an interval has two ends or none")
        if self.ci_low is not None and not self.generalises_to:
            raise ValueError("an interval must say what it generalises to")
        for number in (self.value, self.ci_low, self.ci_high):
            if number is not None and not math.isfinite(number):
                raise ValueError(f"{number} is no estimate: use undefined() with a reason")

    def with_interval(
        self,
        low: float,
        high: float,
        *,
        generalises_to: str,
        options: Options,
        seed: int | None = None,
    ) -> Estimate:
        """The same estimate with an interval and the options that made it."""
        return replace(
            self,
            ci_low=low,
            ci_high=high,
            generalises_to=generalises_to,
            options={**self.options, **options},
            seed=seed,
        )

    def with_second(self, other: Estimate) -> Estimate:
        """The same estimate with the interval of `other` beside its own, under `also`."""
        if other.ci_low is None:
            return self
        second = {
            "ci_low": other.ci_low,
            "ci_high": other.ci_high,
            "generalises_to": other.generalises_to,
            "interval": other.options.get("interval"),
        }
        return replace(self, details={**self.details, "also": [second]})

    def as_json(self) -> dict[str, Any]:
        """Plain dict for JSON; `reason` is null where the value is defined."""
        return {
            "value": self.value,
            "ci_low": self.ci_low,
            "ci_high": self.ci_high,
            "generalises_to": self.generalises_to,
            "n": self.n,
            "method": self.method,
            "options": dict(self.options),
            "seed": self.seed,
            "reason": self.reason or None,
            **self.details,
        }


def undefined(
    reason: str, *, n: int = 0, method: str = "", details: Options | None = None
) -> Estimate:
    """An estimate without a value: undefined is shown as undefined, never as 0 or NaN."""
    return Estimate(None, n=n, method=method, reason=reason, details=details or {})

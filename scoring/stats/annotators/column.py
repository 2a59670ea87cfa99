"""One statistic of all annotators, as arrays and as a list of Estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from paraanno.plain.sentence import NOTHING, Sentence
from scoring.stats.annotators.errors import TOO_FEW, Groups
from scoring.stats.estimate import Estimate, undefined
from scoring.stats.table import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class AnnotatorColumn:
    """A statistic of A annotators; NaN if undefined.

    value, low, high   (A,) value and interval; `no_interval` gives the reason for a missing one
    n                  (A,) sample size
    why                (A,) the reason why the value is undefined, or ""
    details            name -> (A,) values; NaN becomes None
    """

    value: FloatArray
    low: FloatArray
    high: FloatArray
    n: IntArray
    why: Sequence[Sentence]
    method: Sentence
    generalises_to: Sentence
    no_interval: Sequence[Sentence]
    details: Mapping[str, Any] = field(default_factory=dict)

    def estimates(self) -> list[Estimate]:
        """Return one Estimate per annotator."""
        return [self._estimate(code) for code in range(self.value.size)]

    def _estimate(self, code: int) -> Estimate:
        details = {name: _plain(values[code]) for name, values in self.details.items()}
        n = int(self.n[code])
        if self.why[code]:
            none = dict.fromkeys(details)
            return undefined(self.why[code], n=n, method=self.method, details=none)
        low, high = float(self.low[code]), float(self.high[code])
        known = bool(np.isfinite(low) and np.isfinite(high))
        return Estimate(
            float(self.value[code]),
            low if known else None,
            high if known else None,
            self.generalises_to if known else None,
            n,
            self.method,
            {} if known else {"no_interval": self.no_interval[code] or TOO_FEW},
            details=details,
        )


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return value
    return float(value) if np.isfinite(value) else None


def reasons(size: int, *cases: tuple[BoolArray, Sentence]) -> list[Sentence]:
    """Return for each of `size` annotators the text of the first true case, or ""."""
    found = [NOTHING] * size
    for holds, text in reversed(cases):
        for code in np.flatnonzero(holds):
            found[code] = text
    return found


def around(
    groups: Groups, value: FloatArray, influence: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return value -/+ Student's t times the cluster-robust standard error."""
    half = groups.critical * groups.error(influence)
    return value - half, value + half

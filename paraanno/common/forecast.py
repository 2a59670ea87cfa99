"""When work that goes on day by day will be done, as a range and not as a date."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

LEAST_DAYS, MOST_DAYS = 3, 14
NEVER = 3650.0  # Days: nobody plans further.
# Student's t, the 90th percentile with 1, 2, ... 13 degrees of freedom: the ends of an 80 % range.
T_90 = (
    3.0777,
    1.8856,
    1.6377,
    1.5332,
    1.4759,
    1.4398,
    1.4149,
    1.3968,
    1.3830,
    1.3722,
    1.3634,
    1.3562,
    1.3502,
)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is done in a day, and in how many days `left` will be done; ranges hold 80 %.

    per_day, low, high    the mean of the days, and its range
    days                  until the end at that mean
    early, late           the range of that; `late` is None if the pace may be too low to say one
    """

    per_day: float
    low: float
    high: float
    days: float
    early: float
    late: float | None
    _spread: float
    _of: int

    def done_after(self, days: float, side: int = 0) -> float:
        """How much is done after some days: expected, or the lower (-1) or upper (1) end."""
        return self.per_day * days + side * self._width(days)

    def _width(self, days: float) -> float:
        # The days to come vary as those seen did, and their mean is known from few of them.
        return self._spread * sqrt(days + days * days / self._of)


def forecast(counts: Sequence[int], left: float) -> Forecast | None:
    """Forecast from what was done on each of the last days, the newest last; at most 14 are used.

    The total of T days to come has the mean of those seen, times T, and the variance
    s^2 (T + T^2/n): that of T days, and that of the mean of n days. The ends are those T at which
    the 10 % and 90 % points of the total (by Student's t with n - 1 degrees of freedom) reach what
    is left. Days are taken as independent. None below three days, or where nothing was done in
    them, or nothing is left.
    """
    used = list(counts)[-MOST_DAYS:]
    if len(used) < LEAST_DAYS or not any(used) or left <= 0:
        return None
    mean, spread = fmean(used), T_90[len(used) - 2] * stdev(used)
    half = spread / sqrt(len(used))
    draft = Forecast(
        mean, max(0.0, mean - half), mean + half, left / mean, 0.0, None, spread, len(used)
    )
    early = _first(lambda days: draft.done_after(days, 1), left)
    late = _first(lambda days: draft.done_after(days, -1), left) if mean > half else None
    return Forecast(mean, draft.low, draft.high, draft.days, early or 0.0, late, spread, len(used))


def _first(done: Callable[[float], float], left: float) -> float | None:
    """The time at which `done`, which crosses `left` once, reaches it; None if beyond NEVER."""
    high = 1.0
    while done(high) < left:
        high *= 2
        if high > 2 * NEVER:
            return None
    low = 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if done(middle) < left else (low, middle)
    return high if high <= NEVER else None

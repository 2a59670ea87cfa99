"""Choosing paraphrase matches that cover most of the reference: greedy and exact.

A match pairs words `start` to `end` of the reference with words `at` to `to` of the paraphrase
(half open). No word of either text may be in two chosen matches. The objective is to cover as many
words of the reference as possible and, among equals, to use as few words of the paraphrase as
possible.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

# Above it, HiGHS takes longer to start than its time limit.
MOST_INTEGER = 3_000


class Match(NamedTuple):
    """A span of the reference and a span of the paraphrase that match."""

    start: int
    end: int
    at: int
    to: int


@dataclass(frozen=True, slots=True)
class Solution:
    """A set of compatible matches. `solver` is dp, milp, greedy (if better than what milp found in
    time, or if there are too many matches for it), or none (nothing to choose); `optimal`: it is
    proved that no set is better."""

    matches: tuple[Match, ...]
    solver: str
    optimal: bool


def solve(matches: Sequence[Match], *, state_cap: int, time_limit: float) -> Solution:
    """The best set of matches: by dynamic programming up to `state_cap` states, else by integer
    programming for `time_limit` seconds, and then the better of what that found and greedy."""
    if len(matches) < 2:
        return Solution(tuple(matches), "none", True)
    matches = frugal(matches)
    exact = dynamic(matches, state_cap)
    if exact is not None:
        return Solution(exact, "dp", True)
    found, proved = None, False
    if len(matches) <= MOST_INTEGER:
        found, proved = integer(matches, time_limit)
    fallback = greedy(matches)
    if found is not None and (proved or gain(found) >= gain(fallback)):
        return Solution(found, "milp", proved)
    return Solution(fallback, "greedy", False)


def gain(matches: Iterable[Match]) -> tuple[int, int]:
    """The objective: covered words of the reference, then unused words of the paraphrase."""
    taken = list(matches)
    return sum(one.end - one.start for one in taken), -sum(one.to - one.at for one in taken)


def greedy(matches: Iterable[Match], reference: int = 0, paraphrase: int = 0) -> tuple[Match, ...]:
    """Repeatedly take the compatible match that covers most of the reference.

    Of equal ones the one that uses fewer words of the paraphrase, then the leftmost. The bits
    of `reference` and `paraphrase` are words already taken.
    """
    taken = []
    for one in sorted(matches, key=_greedy_order):
        mine, theirs = _bits(one.start, one.end), _bits(one.at, one.to)
        if not (mine & reference or theirs & paraphrase):
            reference |= mine
            paraphrase |= theirs
            taken.append(one)
    return tuple(sorted(taken))


def _greedy_order(one: Match) -> tuple[int, int, int, int]:
    return one.start - one.end, one.to - one.at, one.start, one.at


def _bits(start: int, end: int) -> int:
    return (1 << end) - (1 << start)


def frugal(matches: Iterable[Match]) -> list[Match]:
    """Drop dominated matches: another covers the same words of the reference with a subset of the
    words of the paraphrase."""
    kept: dict[tuple[int, int], list[Match]] = defaultdict(list)
    for one in sorted(matches, key=_greedy_order):
        rivals = kept[one.start, one.end]
        if not any(one.at <= rival.at and rival.to <= one.to for rival in rivals):
            rivals.append(one)
    return [one for rivals in kept.values() for one in rivals]


Path = tuple[Match, "Path"] | None
Layer = dict[int, tuple[int, Path]]  # Words of the paraphrase in use: best value, and how.


class MatchStep(NamedTuple):
    """A match in the search: the stop after it, its paraphrase words as bits, its objective value
    as one number, and itself."""

    then: int
    bits: int
    worth: int
    match: Match


def dynamic(matches: Sequence[Match], cap: int) -> tuple[Match, ...] | None:
    """The best set by dynamic programming; None if it takes more than `cap` states.

        f(i, U) = max of f(i + 1, U)
                  and, over matches from i to j that use none of the words U,
                  (j - i) + f(j, U and the words of the match)

    i runs over the words of the reference; U is the set of words of the paraphrase in use. Only
    words of U that a later match could use are kept. States that cannot beat the greedy choice,
    even if all later matches were compatible, are dropped.
    """
    plan, weight = _planned(matches)
    wanted, rest = _ahead(plan)
    first = greedy(matches)
    low = sum(_worth(one, weight) for one in first)
    layers: list[Layer] = [{} for _ in range(len(plan) + 1)]
    layers[0][0] = (0, None)
    states = 0
    for here, steps in enumerate(plan):
        states += len(layers[here])
        if states > cap:
            return None
        for used, (value, path) in layers[here].items():
            if value + rest[here + 1] > low:
                _offer(layers[here + 1], used & wanted[here + 1], value, path)
            for then, bits, worth, one in steps:
                if not bits & used and value + worth + rest[then] > low:
                    _offer(layers[then], (used | bits) & wanted[then], value + worth, (one, path))
        layers[here] = {}
    best = max(layers[-1].values(), key=lambda state: state[0], default=None)
    return _walked(best[1]) if best else first


def _planned(matches: Sequence[Match]) -> tuple[list[list[MatchStep]], int]:
    """For each word of the reference at which matches start, in order, these matches; and the value
    of a word of the reference, if one of the paraphrase costs 1."""
    weight = 1 + max(one.to for one in matches)
    stops = sorted({one.start for one in matches})
    plan: list[list[MatchStep]] = [[] for _ in stops]
    for one in matches:
        step = MatchStep(
            bisect_left(stops, one.end), _bits(one.at, one.to), _worth(one, weight), one
        )
        plan[bisect_left(stops, one.start)].append(step)
    return plan, weight


def _worth(one: Match, weight: int) -> int:
    return (one.end - one.start) * weight - (one.to - one.at)


def _ahead(plan: Sequence[Sequence[MatchStep]]) -> tuple[list[int], list[int]]:
    """For each stop, and for the end: the paraphrase words that later matches use, and an upper
    bound of their value, as if no two used the same words."""
    wanted, rest = [0] * (len(plan) + 1), [0] * (len(plan) + 1)
    for here in range(len(plan) - 1, -1, -1):
        wanted[here], rest[here] = wanted[here + 1], rest[here + 1]
        for step in plan[here]:
            wanted[here] |= step.bits
            rest[here] = max(rest[here], step.worth + rest[step.then])
    return wanted, rest


def _offer(layer: Layer, used: int, value: int, path: Path) -> None:
    best = layer.get(used)
    if best is None or value > best[0]:
        layer[used] = (value, path)


def _walked(path: Path) -> tuple[Match, ...]:
    taken = []
    while path is not None:
        one, path = path
        taken.append(one)
    return tuple(reversed(taken))


def integer(matches: Sequence[Match], time_limit: float) -> tuple[tuple[Match, ...] | None, bool]:
    """The best set that HiGHS finds in about `time_limit` seconds (None if it finds none), and
    whether it is proved optimal."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    weight = 1 + max(one.to for one in matches)
    found: Any = milp(
        c=[-_worth(one, weight) for one in matches],
        constraints=LinearConstraint(_word_uses(matches), ub=1),
        integrality=np.ones(len(matches)),
        bounds=Bounds(0, 1),
        options={"time_limit": time_limit, "mip_rel_gap": 0},
    )
    if found.x is None:
        return None, False
    taken = [one for one, share in zip(matches, found.x, strict=True) if share > 0.5]
    return tuple(sorted(taken)), found.status == 0


def _word_uses(matches: Sequence[Match]) -> Any:
    """A row for each word of either text, a column for each match: 1 where it uses the word."""
    from scipy.sparse import csr_array

    behind = max(one.end for one in matches)
    rows, columns = [], []
    for column, one in enumerate(matches):
        words = [*range(one.start, one.end), *range(behind + one.at, behind + one.to)]
        rows += words
        columns += [column] * len(words)
    height = behind + max(one.to for one in matches)
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=(height, len(matches)))

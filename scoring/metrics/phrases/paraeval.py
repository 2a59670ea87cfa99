"""ParaEval (Zhou, Lin, Munteanu and Hovy 2006): recall of words by paraphrases and identity."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from paraanno.common.texts import say
from scoring.metrics.base import NO_WORDS, NO_WORDS_TARGET, DecimalOption, Metric
from scoring.metrics.resources.stores import Ids
from scoring.metrics.resources.table import TABLE, PhraseTable, Span, load_table, table_sha256
from scoring.metrics.texts.tokenizers import FOLD, WORD_CUT, Tokens, tokens, versions
from scoring.metrics.values import AGAINST, Option, Score, references_option

# Choosing paraphrase matches that cover most of the reference: greedy and exact.
#
# A match pairs words `start` to `end` of the reference with words `at` to `to` of the paraphrase
# (half open). No word of either text may be in two chosen matches. The objective is to cover as
# many words of the reference as possible and, among equals, to use as few words of the paraphrase
# as possible.


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
    chosen, proved = None, False
    if len(matches) <= MOST_INTEGER:
        chosen, proved = integer(matches, time_limit)
    fallback = greedy(matches)
    if chosen is not None and (proved or gain(chosen) >= gain(fallback)):
        return Solution(chosen, "milp", proved)
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
        covered, theirs = _bits(one.start, one.end), _bits(one.at, one.to)
        if not (covered & reference or theirs & paraphrase):
            reference |= covered
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
    undominated: dict[tuple[int, int], list[Match]] = defaultdict(list)
    for one in sorted(matches, key=_greedy_order):
        rivals = undominated[one.start, one.end]
        if not any(one.at <= rival.at and rival.to <= one.to for rival in rivals):
            rivals.append(one)
    return [one for rivals in undominated.values() for one in rivals]


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
    result: Any = milp(
        c=[-_worth(one, weight) for one in matches],
        constraints=LinearConstraint(_word_uses(matches), ub=1),
        integrality=np.ones(len(matches)),
        bounds=Bounds(0, 1),
        options={"time_limit": time_limit, "mip_rel_gap": 0},
    )
    if result.x is None:
        return None, False
    taken = [one for one, share in zip(matches, result.x, strict=True) if share > 0.5]
    return tuple(sorted(taken)), result.status == 0


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


# Limit of pairs of phrase positions: above it, each position gets one partner and optimality is not
# proved.
MOST_MATCHES = 20_000
_COPY = Solution((), "none", True)


@dataclass(frozen=True, slots=True)
class ReferenceWords:
    """The words of a reference, the positions of the table's phrases in it, and their partners in
    ascending order, each with its phrase in the reference."""

    words: Tokens
    spans: Mapping[int, list[Span]]
    partners: Ids
    owners: Ids


class Paraeval(Metric[ReferenceWords]):
    """Three tiers, each on the words left by the earlier ones: (1) phrases of several words on both
    sides, chosen optimally over the entire text; (2) phrase pairs with a single word on one side,
    the longest first; (3) identical words. No word counts twice on either side.
    """

    name = "paraeval"
    title = "ParaEval"
    summary = say(
        "0 to 1: the share of the reference's words covered by the paraphrase, through a "
        "paraphrase table or through identical words."
    )
    family = "paraphrase table"
    keeps_detail = True
    longest = 10_000
    chunk_size = 50
    OPTIONS = (
        AGAINST,
        references_option("max", "mean"),
        TABLE,
        WORD_CUT,
        FOLD,
        Option(
            "variant",
            "3",
            say(
                "Which tiers count: 3 (all), 2 (without single words in the table), or para_only "
                "(without identical words)."
            ),
            ("3", "2", "para_only"),
        ),
        DecimalOption(
            "min_probability", "0", say("Pairs in the table below this probability do not count.")
        ),
        Option(
            "state_cap",
            "2000",
            say(
                "Most states of the exact search in tier 1; above it, integer programming is used."
            ),
            least=1,
            most=1_000_000,
        ),
        DecimalOption(
            "time_limit",
            "0.4",
            say(
                "Time limit of integer programming in seconds; then the best choice found so far "
                "counts."
            ),
            low=0.01,
            high=60,
        ),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._lowercase = self.options["lowercase"] == "yes"
        self._tiers = {"3": "123", "2": "13", "para_only": "12"}[self.options["variant"]]
        self._least = float(self.options["min_probability"])
        self._table: PhraseTable | None = None

    @property
    def table(self) -> PhraseTable:
        """The table, loaded lazily."""
        if self._table is None:
            self._table = self._checked()
        return self._table

    def load(self) -> None:
        self._table = self._checked()

    def _checked(self) -> PhraseTable:
        table = load_table(self.options["table"])
        if self._least > 0 and not table.weighted:
            raise ValueError(
                say(
                    "%(metric)s: the table %(table)s has no probabilities; leave "
                    "min_probability out.",
                    metric=self.name,
                    table=self.options["table"],
                )
            )
        return table

    def versions(self) -> dict[str, str]:
        # Another version of the solver may take another of equally good choices.
        return {**versions(self.options["tokenize"]), "scipy": version("scipy")}

    def resources(self) -> dict[str, str]:
        return {"table": table_sha256(self.options["table"])}

    def words(self, text: str) -> Tokens:
        """The words of a text."""
        return tokens(text, self.options["tokenize"], lowercase=self._lowercase)

    def _know(self, targets: tuple[str, ...]) -> ReferenceWords:
        words = self.words(targets[0])
        spans = self.table.spans(words)
        return ReferenceWords(words, spans, *self.table.partners_of(list(spans), self._least))

    def _score(self, target: ReferenceWords, paraphrase: str) -> Score:
        words = self.words(paraphrase)
        if not target.words:
            return Score.undefined(NO_WORDS_TARGET)
        if not words:
            return Score.undefined(NO_WORDS)
        tiers: dict[str, Sequence[Match]]
        if "3" in self._tiers and words == target.words:
            # Paraphrases of one text could compete for the same words.
            best, tiers = _COPY, {"3": [Match(0, len(words), 0, len(words))]}
        else:
            best, tiers = self._tiered(target, words)
        covered = sum(one.end - one.start for taken in tiers.values() for one in taken)
        return Score(covered / len(target.words), detail=_detail(target.words, words, tiers, best))

    def _tiered(
        self, target: ReferenceWords, words: Tokens
    ) -> tuple[Solution, dict[str, Sequence[Match]]]:
        """The choice in tier 1, and the words that each tier covers."""
        matches, all_of_them = _matches(target, self.table.spans(words))
        long = [one for one in matches if one.end - one.start > 1 and one.to - one.at > 1]
        best = solve(
            long,
            state_cap=int(self.options["state_cap"]),
            time_limit=float(self.options["time_limit"]),
        )
        if not all_of_them:
            best = Solution(best.matches, best.solver, False)
        tiers: dict[str, Sequence[Match]] = {"1": best.matches}
        if "2" in self._tiers:
            used, theirs = _used(best.matches)
            short = (one for one in matches if one.end - one.start == 1 or one.to - one.at == 1)
            tiers["2"] = greedy(short, used, theirs)
        if "3" in self._tiers:
            taken = [one for tier in tiers.values() for one in tier]
            tiers["3"] = _same_words(target.words, words, taken)
        return best, tiers


def _matches(target: ReferenceWords, spans: Mapping[int, list[Span]]) -> tuple[list[Match], bool]:
    """The matches of phrases of the two texts, and whether the list is complete."""
    ids = list(spans)
    left = np.searchsorted(target.partners, ids)
    right = np.searchsorted(target.partners, ids, side="right")
    pairs = [
        (target.spans[owner], spans[ids[at]])
        for at in np.flatnonzero(left < right).tolist()
        for owner in target.owners[left[at] : right[at]].tolist()
    ]
    full = sum(len(own) * len(theirs) for own, theirs in pairs) <= MOST_MATCHES
    return [
        Match(*one, *other)
        for own, theirs in pairs
        for one, other in (product(own, theirs) if full else zip(own, theirs, strict=False))
    ], full


def _used(matches: Iterable[Match]) -> tuple[int, int]:
    """The words in use in either text, as bits."""
    own = theirs = 0
    for one in matches:
        own |= (1 << one.end) - (1 << one.start)
        theirs |= (1 << one.to) - (1 << one.at)
    return own, theirs


def _same_words(
    reference: Sequence[str], paraphrase: Sequence[str], taken: Iterable[Match]
) -> list[Match]:
    """Match identical words among those not taken, each used once, from the left."""
    own, theirs = _used(taken)
    free: dict[str, list[int]] = defaultdict(list)
    for at in range(len(paraphrase) - 1, -1, -1):
        if not theirs >> at & 1:
            free[paraphrase[at]].append(at)
    identical = []
    for start, word in enumerate(reference):
        if not own >> start & 1 and free.get(word):
            at = free[word].pop()
            identical.append(Match(start, start + 1, at, at + 1))
    return identical


def _detail(
    reference: Sequence[str],
    paraphrase: Sequence[str],
    tiers: Mapping[str, Sequence[Match]],
    best: Solution,
) -> dict[str, object]:
    """The detail of the score, ready for JSON; spans are half-open word positions from 0."""
    detail: dict[str, object] = {
        f"tier_{tier}": [
            {
                "reference": " ".join(reference[one.start : one.end]),
                "paraphrase": " ".join(paraphrase[one.at : one.to]),
                "reference_span": [one.start, one.end],
                "paraphrase_span": [one.at, one.to],
            }
            for one in taken
        ]
        for tier, taken in tiers.items()
    }
    return detail | {
        "matched": sum(one.end - one.start for taken in tiers.values() for one in taken),
        "words": len(reference),
        "solver": best.solver,
        "optimal": best.optimal,
    }

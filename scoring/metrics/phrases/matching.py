"""One-to-one matching of the units of two texts: identical ones, then synonyms, then phrases."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence

Phrase = tuple[str, ...]
Edge = tuple[str, str]
# The synonym groups of a phrase; phrases of one group are synonyms of each other.
Groups = Mapping[Phrase, Collection[int]]
Keep = Callable[[Phrase, Phrase], bool]  # Whether two synonyms may be matched here.
IDENTICAL, SYNONYM = "identical", "synonym"


# The units of both sides, joined by spaces, and how they match.
Match = tuple[str, str, str]


class Original:
    """The units of an original, with the index used to match its paraphrases."""

    __slots__ = ("apart", "distinct", "same", "units")

    def __init__(self, units: Sequence[str]) -> None:
        self.units = tuple(units)
        self.apart, self.distinct = _told_apart(units)
        self.same: list[Match] = [(unit, unit, IDENTICAL) for unit in units]


class Matching:
    """A matching of an original and a paraphrase, each unit matched at most once: first identical
    units from left to right, then each step matches what earlier steps left.

    `matches` has one entry per unit of the original: the match that starts there.
    """

    __slots__ = ("_free", "_units", "matches")

    def __init__(self, original: Original, paraphrase: Sequence[str]) -> None:
        units, apart, here, same = original.units, original.apart, original.distinct, original.same
        theirs, there = _told_apart(paraphrase)
        self._units = (units, tuple(paraphrase))
        self.matches = [
            match if one in there else None for one, match in zip(apart, same, strict=True)
        ]
        self._free = (
            {at: units[at] for at, match in enumerate(self.matches) if match is None},
            {at: paraphrase[at] for at, one in enumerate(theirs) if one not in here},
        )

    def left(self, side: int) -> list[str]:
        """The unmatched units of the original (0) or the paraphrase (1), in order."""
        return list(self._free[side].values())

    def match_synonyms(self, groups: Groups, keep: Keep) -> None:
        """Match single units in a common group: a maximum matching."""
        left, right = Counter(self.left(0)), Counter(self.left(1))
        members = _members(groups, ((unit,) for unit in right))
        edges = []
        for one in left:
            candidates = (
                other for group in groups.get((one,), ()) for other in members.get(group, ())
            )
            edges += [(one, other[0]) for other in dict.fromkeys(candidates) if keep((one,), other)]
        if edges:
            self._match(maximum_flow(left, right, edges))

    def match_phrases(self, groups: Groups, longest: int, keep: Keep) -> None:
        """Match phrases of up to `longest` units in a common group, longest and leftmost first.

        A match has at least two units on at least one side, and counts once.
        """
        if longest < 2:
            return
        theirs = list(self._phrases(1, groups, longest))
        members = _members(groups, (phrase for _, phrase in theirs))
        places: dict[Phrase, list[int]] = {}
        for place, other in theirs:
            places.setdefault(other, []).append(place)
        for start, one in list(self._phrases(0, groups, longest)):
            candidates = (other for group in groups[one] for other in members.get(group, ()))
            for other in sorted(dict.fromkeys(candidates), key=len, reverse=True):
                if len(one) + len(other) > 2 and self._take_phrase(start, one, other, places, keep):
                    break

    def _phrases(self, side: int, groups: Groups, longest: int) -> Iterator[tuple[int, Phrase]]:
        units = self._units[side]
        for length in range(min(len(units), longest), 0, -1):
            for start in range(len(units) - length + 1):
                phrase = units[start : start + length]
                if phrase in groups and self._is_free(side, start, phrase):
                    yield start, phrase

    def _take_phrase(
        self,
        start: int,
        one: Phrase,
        other: Phrase,
        places: Mapping[Phrase, Sequence[int]],
        keep: Keep,
    ) -> bool:
        """Match the two at the first free position of the other text, if there is one."""
        if not (self._is_free(0, start, one) and keep(one, other)):
            return False
        for place in places[other]:
            if self._is_free(1, place, other):
                self._take(0, range(start, start + len(one)))
                self._take(1, range(place, place + len(other)))
                self.matches[start] = (" ".join(one), " ".join(other), SYNONYM)
                return True
        return False

    def _is_free(self, side: int, start: int, phrase: Phrase) -> bool:
        return all(at in self._free[side] for at in range(start, start + len(phrase)))

    def _match(self, times: Mapping[Edge, int]) -> None:
        """Match that many of each pair of units, from left to right."""
        own, theirs = _places(self._free[0]), _places(self._free[1])
        for (one, other), n in times.items():
            starts = [own[one].pop() for _ in range(n)]
            self._take(0, starts)
            self._take(1, [theirs[other].pop() for _ in range(n)])
            for start in starts:
                self.matches[start] = (one, other, SYNONYM)

    def _take(self, side: int, places: Iterable[int]) -> None:
        for at in places:
            del self._free[side][at]


def _told_apart(units: Sequence[str]) -> tuple[Sequence[Hashable], Collection[Hashable]]:
    """The units numbered by occurrence, so that no two are equal."""
    distinct = set(units)
    if len(distinct) == len(units):
        return units, distinct
    times: dict[str, int] = {}
    apart: list[Hashable] = []
    for unit in units:
        times[unit] = n = times.get(unit, 0) + 1
        apart.append((unit, n) if n > 1 else unit)
    return apart, set(apart)


def _places(free: dict[int, str]) -> dict[str, list[int]]:
    """The positions of each unit, the first one last."""
    positions: dict[str, list[int]] = defaultdict(list)
    for at, unit in reversed(free.items()):
        positions[unit].append(at)
    return positions


def _members(groups: Groups, phrases: Iterable[Phrase]) -> dict[int, list[Phrase]]:
    members: dict[int, list[Phrase]] = {}
    for phrase in dict.fromkeys(phrases):
        for group in groups.get(phrase, ()):
            members.setdefault(group, []).append(phrase)
    return members


def maximum_flow(
    left: Mapping[str, int], right: Mapping[str, int], edges: Sequence[Edge]
) -> dict[Edge, int]:
    """The flow of each edge in a maximum bipartite matching in which equal units are merged: no
    unit is paired more often than it occurs (Dinic 1970)."""
    ones, others = list({one: None for one, _ in edges}), list({two: None for _, two in edges})
    if len(ones) == len(others) == len(edges):  # No unit has a choice: the usual case.
        return {(one, two): min(left[one], right[two]) for one, two in edges}
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow as flow_of

    row = {unit: at for at, unit in enumerate(ones, 1)}
    column = {unit: at for at, unit in enumerate(others, 1 + len(ones))}
    sink = 1 + len(ones) + len(others)
    arcs = [(0, row[unit], left[unit]) for unit in ones]
    arcs += [(column[unit], sink, right[unit]) for unit in others]
    arcs += [(row[one], column[two], min(left[one], right[two])) for one, two in edges]
    starts, ends, most = zip(*arcs, strict=True)
    graph = csr_array((most, (starts, ends)), shape=(sink + 1, sink + 1), dtype="int32")
    flow = flow_of(graph, 0, sink).flow.tocoo()
    return {
        (ones[start - 1], others[end - 1 - len(ones)]): int(times)
        for start, end, times in zip(flow.row, flow.col, flow.data, strict=True)
        if 0 < start <= len(ones) and times > 0  # Only forward edges from a left unit.
    }

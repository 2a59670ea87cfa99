"""APEM (Moon, Gweon, Choi and Heo 2015): the share of the original's meaningful morphemes that
recur; and the one-to-one matching behind it, of identical units, then synonyms, then phrases.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from paraanno.common.texts import say
from scoring.metrics.base import Metric
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.synonyms import SYNONYMS, Synonyms, load_synonyms, synonyms_sha256
from scoring.metrics.texts import content_words, tokenizers
from scoring.metrics.texts.tokenizers import AUXILIARIES, SEGMENTATION, ngrams, versions
from scoring.metrics.values import AGAINST_ORIGINAL, Option, Score, lang_option

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


# The metric.


LANGUAGES = ("ko", "en")
LANG = lang_option(
    *LANGUAGES,
    summary=say(
        "The language of the texts: ko uses morphemes by Kiwi, en lemmas of content words; texts "
        "takes the language given for each text. Texts in another language have no score; those "
        "without one are taken to be in the language named here."
    ),
)
NO_MORPHEMES = say("The original has no meaningful morphemes.")
APEM_OPTIONS: tuple[Option, ...] = (AGAINST_ORIGINAL, LANG, SEGMENTATION, AUXILIARIES)
NO_ORDER = say("The original has fewer meaningful morphemes than are one unit.")
ORDER = Option(
    "order",
    "1",
    say("How many meaningful morphemes in a row are one unit: 1, 2 or 3."),
    ("1", "2", "3"),
)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The settings for splitting texts into units of meaning."""

    lang: str
    segmentation: str
    auxiliaries: str
    order: int = 1

    def __call__(self, text: str) -> tuple[str, ...]:
        units = self._morphemes(text)
        if self.order == 1:
            return units
        return tuple(" ".join(gram) for gram in ngrams(units, self.order))

    def _morphemes(self, text: str) -> tuple[str, ...]:
        if self.lang == "en":
            return content_words.content_words(text)
        return tokenizers.meaningful(
            text, segmentation=self.segmentation, auxiliaries=self.auxiliaries
        )


class Apem(Metric[Original]):
    """APEM = matched morphemes / meaningful morphemes of the original.

    All morphemes except endings, particles and punctuation are meaningful. Each is matched once.
    Not symmetric: additions in a paraphrase cost nothing.
    """

    name = "apem"
    title = "APEM"
    summary = say(
        "0 to 1: the share of the original's meaningful morphemes that are also in the paraphrase."
    )
    family = "morphemes"
    languages = LANGUAGES
    keeps_detail = True
    longest = 20_000  # The analyser takes up to a second for it.
    OPTIONS = (*APEM_OPTIONS, ORDER)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.analysis = Analysis(
            self.options["lang"],
            self.options["segmentation"],
            self.options["auxiliaries"],
            int(self.options.get("order", "1")),
        )

    def load(self) -> None:
        if self.analysis.lang == "ko":
            tokenizers.load()

    def versions(self) -> dict[str, str]:
        return versions("ko") if self.analysis.lang == "ko" else content_words.versions()

    def _know(self, targets: tuple[str, ...]) -> Original:
        return Original(self.analysis(targets[0]))

    def _score(self, target: Original, paraphrase: str) -> Score:
        if not target.units:
            return Score.undefined(NO_MORPHEMES if self.analysis.order == 1 else NO_ORDER)
        matching = Matching(target, self.analysis(paraphrase))
        more = self._match_more(matching)
        # Tuples, because the garbage collector would visit thousands of lists in each chunk.
        matched = list(filter(None, matching.matches))
        detail = {"matched": matched, "unmatched": matching.left(0), "new": matching.left(1)}
        return Score(len(matched) / len(target.units), detail=detail | more)

    def _match_more(self, matching: Matching) -> dict[str, object]:
        """Match units that are not identical; return further details."""
        return {}


# APEM with a dictionary of synonyms (Moon, Gweon, Choi and Heo 2015).


APEM_SD_OPTIONS: tuple[Option, ...] = (*APEM_OPTIONS, SYNONYMS)


@dataclass(frozen=True, slots=True, eq=False)
class SynonymGroups:
    """The groups of each phrase, analysed like texts, and the length of the longest."""

    groups: dict[Phrase, tuple[int, ...]]
    longest: int


@lru_cache(maxsize=2)
def synonym_groups(synonyms: Synonyms, analysis: Analysis) -> SynonymGroups:
    """Analyse every phrase; one without a unit of meaning is in no group."""
    memberships: dict[Phrase, dict[int, None]] = {}
    for group, phrases in enumerate(synonyms.groups):
        for phrase in phrases:
            if units := analysis(phrase):
                memberships.setdefault(units, {})[group] = None
    groups = {units: tuple(within) for units, within in memberships.items()}
    return SynonymGroups(groups, max(map(len, groups), default=0))


class ApemSd(Apem):
    """Match identical morphemes first, then as many single synonyms as possible, then phrases of
    several morphemes; each match counts once.
    """

    name = "apem_sd"
    title = "APEM_SD"
    summary = say(
        "0 to 1: as APEM, with synonyms matched too. Synonyms from the file match regardless "
        "of their sense in the sentence."
    )
    OPTIONS = APEM_SD_OPTIONS

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._groups: SynonymGroups | None = None

    @property
    def groups(self) -> SynonymGroups:
        """The synonyms, loaded and analysed lazily."""
        if self._groups is None:
            path = self.options["synonyms"]
            self._groups = synonym_groups(load_synonyms(path), self.analysis)
            if not self._groups.groups:
                raise FileRefused.at(path, 0, say("has no content word; check lang=."))
        return self._groups

    def load(self) -> None:
        super().load()
        self.groups  # noqa: B018 - reads them

    def resources(self) -> dict[str, str]:
        return {"synonyms": synonyms_sha256(self.options["synonyms"])}

    def _match_more(self, matching: Matching) -> dict[str, object]:
        matching.match_synonyms(self.groups.groups, _always)
        matching.match_phrases(self.groups.groups, self.groups.longest, _always)
        return {}


def _always(one: Phrase, other: Phrase) -> bool:
    return True

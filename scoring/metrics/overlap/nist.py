"""NIST (Doddington 2002), as computed by the script mteval-v13a."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import exp, log, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.metrics.base import CorpusMetric
from scoring.metrics.resources.stores import Hashes, as_hashes, raw_bytes, raw_hash
from scoring.metrics.texts.tokenizers import (
    LOWERCASE,
    TOKENIZE,
    Tokens,
    reader,
    versions,
)
from scoring.metrics.values import (
    AGAINST,
    MADE_EARLIER,
    Option,
    Pair,
    Score,
    Vector,
    references_option,
)

# A table of n-gram counts of a campaign's texts: 12 bytes each, looked up by hash.


# Base of a polynomial hash modulo 2^64: any odd number with mixed bits will do.
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, eq=False)
class NgramTable:
    """Counts of all words of some texts, and of the longer n-grams that occur at least twice.

    A missing n-gram of known words occurs once. `words` is the total number of words, `hashes`
    (uint64, ascending) covers n-grams of all orders, `counts` (uint32) are their counts. Two
    n-grams with the same hash would be counted as one: among a million, the probability of any
    collision is 3 in 100 million.
    """

    words: int
    hashes: Hashes
    counts: NDArray[np.uint32]

    def find(self, text: Tokens, orders: int) -> list[list[int]]:
        """For each order that the text is long enough for, the counts of its n-grams by position; 0
        for those not in the table."""
        rows = ngram_hashes(text, orders)
        wanted = np.concatenate(rows)
        places = self.hashes.searchsorted(wanted)
        present = self.hashes.take(places, mode="clip") == wanted
        counts = (self.counts.take(places, mode="clip") * present).tolist()
        by_order, start = [], 0
        for end in accumulate(map(len, rows)):
            by_order.append(counts[start:end])
            start = end
        return by_order

    def as_json(self) -> dict[str, object]:
        """The table as JSON, with arrays in base64, the most compact form."""
        return {
            "words": self.words,
            "hashes": b64encode(self.hashes.astype("<u8").tobytes()).decode(),
            "counts": b64encode(self.counts.astype("<u4").tobytes()).decode(),
        }

    @classmethod
    def of_json(cls, state: Any) -> NgramTable:
        """The table that `as_json` wrote; ValueError for any other form."""
        if not isinstance(state, dict) or state.keys() != {"words", "hashes", "counts"}:
            raise ValueError(MADE_EARLIER)
        return cls(
            state["words"],
            as_hashes(b64decode(state["hashes"])),
            np.frombuffer(b64decode(state["counts"]), dtype="<u4").astype(np.uint32),
        )


EMPTY = NgramTable(0, np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=np.uint32))


def count_ngrams(texts: Iterable[Tokens], orders: int) -> NgramTable:
    """Count the n-grams of any number of texts; 8 bytes are kept per word."""
    hashes = bytearray()
    lengths = []
    for text in texts:
        hashes += _raw_hashes(text)
        lengths.append(len(text))
    if not hashes:
        return EMPTY
    words = as_hashes(hashes)
    ends = np.repeat(np.cumsum(lengths), lengths).astype(np.uint32)
    kinds, counts = np.unique(words, return_counts=True)
    parts, times = [kinds], [counts]
    places, ngrams = np.arange(len(words), dtype=np.uint32), words
    for order in range(1, orders):
        # An n-gram whose prefix occurs once occurs once.
        further = _among(ngrams, kinds[counts > 1]) & (places + order < ends[places])
        places = places[further]
        ngrams = ngrams[further] * _FACTOR + words[places + order]
        kinds, counts = np.unique(ngrams, return_counts=True)
        parts.append(kinds[counts > 1])
        times.append(counts[counts > 1])
    hashed = np.concatenate(parts)
    ascending = np.argsort(hashed)
    return NgramTable(
        len(words), hashed[ascending], np.concatenate(times)[ascending].astype(np.uint32)
    )


def _among(ngrams: Hashes, kinds: Hashes) -> NDArray[np.bool_]:
    if not len(kinds):
        return np.zeros(len(ngrams), dtype=bool)
    is_member: NDArray[np.bool_] = kinds.take(kinds.searchsorted(ngrams), mode="clip") == ngrams
    return is_member


def ngram_hashes(text: Tokens, orders: int) -> list[Hashes]:
    """The hashes of the n-grams of a text by position, for each order that it is long enough for;
    one empty row for a text without words."""
    words = row = as_hashes(_raw_hashes(text))
    rows = [words]
    for order in range(1, min(orders, len(text))):
        row = row[:-1] * _FACTOR + words[order:]
        rows.append(row)
    return rows


def _raw_hashes(text: Tokens) -> bytes:
    return b"".join(map(_word_hash, text))


@lru_cache(maxsize=8192)
def _word_hash(word: str) -> bytes:
    return raw_hash(raw_bytes(word))


# Makes the penalty 0.5 for a text of two thirds of the length of its references.
BETA = log(0.5) / log(1.5) ** 2
NOT_COUNTED = say(
    "The text compared with has words that are not in the information counts of this "
    "run: start a new run."
)


@dataclass(frozen=True, slots=True)
class NistReferences:
    """All texts compared with: the greatest count and the information of each n-gram that has any,
    their mean length, and whether the campaign's counts contain all their words."""

    counts: dict[str, int]
    information: dict[str, float]
    length: float
    counted: bool


class Nist(CorpusMetric[NistReferences]):
    """An order that the text is too short for adds 0, as in mteval. Undefined if the paraphrase or
    all texts compared with have no tokens.
    """

    name = "nist"
    title = "NIST"
    summary = say(
        "0 upwards without a limit: n-grams shared with the references, weighted by their "
        "information: the rarer an n-gram after its preceding words among all references of "
        "the campaign, the more it counts."
    )
    family = "overlap"
    needs_state = True
    WORDS_AT = 0
    OPTIONS = (
        AGAINST,
        references_option("multi", "max", "mean"),
        TOKENIZE,
        LOWERCASE,
        Option("max_n", "5", say("Maximum length of n-grams."), least=1, most=9),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._orders = int(self.options["max_n"])
        self.tokens = reader(self.options["tokenize"], self.options["lowercase"] == "yes")
        self._campaign = EMPTY

    def versions(self) -> dict[str, str]:
        return versions(self.options["tokenize"])

    def prepare(self, pairs: Iterable[Pair]) -> dict[str, object]:
        """Counts of each n-gram in the texts compared with: see `NgramTable`.

        The texts of one original count once, for any number of paraphrases.
        """
        return count_ngrams(self._distinct(pairs), self._orders).as_json()

    def _distinct(self, pairs: Iterable[Pair]) -> Iterator[Tokens]:
        seen: set[int] = set()  # Hashes of 64 bits, so that no text is kept.
        for pair in pairs:
            targets = self.targets(pair)
            key = hash((pair.original, targets))
            if key not in seen:
                seen.add(key)
                yield from map(self.tokens, targets)

    def use(self, state: Any) -> None:
        super().use(state)
        self._campaign = NgramTable.of_json(state) if state else EMPTY
        self.state = None  # As large as the campaign: the table is enough.

    def _know(self, targets: tuple[str, ...]) -> NistReferences:
        texts = [cut for text in targets if (cut := self.tokens(text))]
        information: dict[str, float] = {}
        campaign_counts = [self._campaign.find(text, self._orders) for text in texts]
        each = [self._counts(*one, information) for one in zip(texts, campaign_counts, strict=True)]
        counts = each[0] if each else {}
        for other in each[1:]:
            for ngram, count in other.items():
                counts[ngram] = max(count, counts.get(ngram, 0))
        counted = all(all(rows[0]) for rows in campaign_counts)
        length = sum(map(len, texts)) / len(texts) if texts else 0.0
        return NistReferences(counts, information, length, counted)

    def _counts(
        self, text: Tokens, campaign_counts: Sequence[Sequence[int]], information: dict[str, float]
    ) -> dict[str, int]:
        """Count the n-grams of a text that have information, and record it (equation 2): log2 of
        the count of the n-gram without its last word divided by the count of the n-gram.

        An n-gram whose prefix occurs once has none, log2(1/1), so each position is extended only up
        to there.
        """
        counts: dict[str, int] = {}
        for start in range(len(text)):
            ngram, before = "", self._campaign.words
            for row, word in zip(campaign_counts, text[start:], strict=False):
                ngram = f"{ngram} {word}" if ngram else word
                here = row[start] or 1
                counts[ngram] = counts.get(ngram, 0) + 1
                information[ngram] = log2(before / here)
                if here == 1:
                    break
                before = here
        return counts

    def _score(self, target: NistReferences, paraphrase: str) -> Score:
        if not target.counted:
            return Score.undefined(NOT_COUNTED)
        return super()._score(target, paraphrase)

    def _statistics(self, target: NistReferences, paraphrase: str) -> Vector | None:
        """Length, mean length of the references, information of each order, number of n-grams of
        each."""
        if not (target.length and target.counted):
            return None
        text = self.tokens(paraphrase)
        left, information = target.counts.copy(), target.information
        gained = [0.0] * self._orders
        for start, first in enumerate(text):
            if first not in left:
                continue
            ngram = ""
            for order, word in enumerate(text[start : start + self._orders]):
                ngram = f"{ngram} {word}" if order else word
                remaining = left.get(ngram)
                if remaining is None:
                    break
                if remaining:
                    left[ngram] = remaining - 1
                    gained[order] += information[ngram]
        length = len(text)
        totals = [max(0, length - order) for order in range(self._orders)]
        return (length, target.length, *gained, *totals)

    def _value(self, total: Vector) -> float:
        length, theirs = total[:2]
        gained, totals = total[2 : 2 + self._orders], total[2 + self._orders :]
        score = sum(one / max(all_, 1) for one, all_ in zip(gained, totals, strict=True))
        return score * exp(BETA * log(min(length / theirs, 1)) ** 2)

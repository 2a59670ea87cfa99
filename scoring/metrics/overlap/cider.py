"""CIDEr and CIDEr-D (Vedantam, Zitnick and Parikh 2015), as computed by their authors' program."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.metrics.base import NO_WORDS, NO_WORDS_TARGET, Metric
from scoring.metrics.overlap.nist import ngram_hashes
from scoring.metrics.resources.stores import Hashes, as_hashes
from scoring.metrics.texts.tokenizers import FOLD, WORD_CUT, Tokens, reader, versions
from scoring.metrics.values import AGAINST, MADE_EARLIER, Option, Pair, Score

ORDERS = 4
SIGMA = 6.0  # Words of difference in length; section 5 of the paper.
ALONE = say(
    "The campaign has only one original: there are no frequencies that could weigh its words. "
    "With idf=none all words weigh the same."
)


@dataclass(frozen=True, slots=True, eq=False)
class DocumentFrequencies:
    """In how many of `documents` originals each n-gram is among the texts compared with.

    Those of one are left out: like those of none they weigh log(documents). `hashes` (uint64)
    ascend, `counts` (uint32) belong to them.
    """

    documents: int
    hashes: Hashes
    counts: NDArray[np.uint32]

    def weights(self, ngrams: Hashes) -> NDArray[np.float64]:
        """The logarithm of documents / frequency of each n-gram."""
        places = self.hashes.searchsorted(ngrams)
        there = self.hashes.take(places, mode="clip") == ngrams
        counts = np.where(there, self.counts.take(places, mode="clip"), 1)
        return np.asarray(np.log(self.documents) - np.log(counts))

    def as_json(self) -> dict[str, object]:
        """The table as JSON, with arrays in base64."""
        return {
            "documents": self.documents,
            "hashes": b64encode(self.hashes.astype("<u8").tobytes()).decode(),
            "counts": b64encode(self.counts.astype("<u4").tobytes()).decode(),
        }

    @classmethod
    def of_json(cls, state: Any) -> DocumentFrequencies:
        """The table that `as_json` wrote; ValueError for any other form."""
        if not isinstance(state, dict) or state.keys() != {"documents", "hashes", "counts"}:
            raise ValueError(MADE_EARLIER)
        return cls(
            state["documents"],
            as_hashes(b64decode(state["hashes"])),
            np.frombuffer(b64decode(state["counts"]), dtype="<u4").astype(np.uint32),
        )


# One n-gram that no text has, so that looking up never meets an empty array.
EMPTY = DocumentFrequencies(0, np.zeros(1, dtype=np.uint64), np.ones(1, dtype=np.uint32))


def document_frequencies(documents: Iterable[Sequence[Tokens]]) -> DocumentFrequencies:
    """Count the n-grams of the texts of each document; 8 bytes are kept for each until the end."""
    hashes, number = bytearray(), 0
    for texts in documents:
        number += 1
        rows = [row for text in texts for row in ngram_hashes(text, ORDERS)]
        hashes += np.unique(np.concatenate(rows)).tobytes()
    kinds, counts = np.unique(np.frombuffer(hashes, dtype=np.uint64), return_counts=True)
    several = counts > 1
    if not several.any():
        return DocumentFrequencies(number, EMPTY.hashes, EMPTY.counts)
    return DocumentFrequencies(number, kinds[several], counts[several].astype(np.uint32))


@dataclass(frozen=True, slots=True)
class Weighed:
    """A text as weighed n-grams, the norms of each order, and its number of words."""

    orders: tuple[Mapping[int, float], ...]
    norms: tuple[float, ...]
    words: int


class Cider(Metric[tuple[Weighed, ...]]):
    """The mean over n = 1..4 and over the texts compared with of the cosine of the n-grams' counts,
    weighed by the logarithm of their inverse document frequency, times 10.

    A document is an original with the texts that its paraphrases are compared with. An order that
    a text is too short for adds 0, as in the authors' program.
    """

    name = "cider"
    title = "CIDEr"
    summary = say(
        "0 to 10: n-grams shared with each reference, those that few other originals have weighed "
        "more; the mean over the references."
    )
    family = "overlap"
    OPTIONS = (
        AGAINST,
        Option(
            "idf",
            "campaign",
            say(
                "What n-grams weigh: campaign (the rarer among the originals or references of all "
                "texts of the campaign, the more) or none (all the same)."
            ),
            ("campaign", "none"),
        ),
        WORD_CUT,
        FOLD,
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.tokens = reader(self.options["tokenize"], self.options["lowercase"] == "yes")
        self.needs_state = self.options["idf"] == "campaign"
        self._campaign = EMPTY

    def versions(self) -> dict[str, str]:
        return versions(self.options["tokenize"])

    def prepare(self, pairs: Iterable[Pair]) -> dict[str, object] | None:
        """The document frequencies; paraphrases of one original share a document."""
        return document_frequencies(self._documents(pairs)).as_json() if self.needs_state else None

    def _documents(self, pairs: Iterable[Pair]) -> Iterator[list[Tokens]]:
        seen: set[int] = set()  # Hashes of 64 bits, so that no text is kept.
        for pair in pairs:
            targets = self.targets(pair)
            document = hash((pair.original, targets))
            if targets and document not in seen:
                seen.add(document)
                yield list(map(self.tokens, targets))

    def use(self, state: Any) -> None:
        super().use(state)
        self._campaign = DocumentFrequencies.of_json(state) if state else EMPTY
        self.state = None  # As large as the campaign: the table is enough.

    def _know(self, targets: tuple[str, ...]) -> tuple[Weighed, ...]:
        return tuple(self._weigh(words) for text in targets if (words := self.tokens(text)))

    def _weigh(self, words: Tokens) -> Weighed:
        rows = ngram_hashes(words, ORDERS)
        counts = [Counter(row.tolist()) for row in rows]
        kinds = np.array([one for row in counts for one in row], dtype=np.uint64)
        weights = iter(
            self._campaign.weights(kinds).tolist() if self.needs_state else [1.0] * len(kinds)
        )
        orders = tuple(
            {ngram: number * next(weights) for ngram, number in row.items()} for row in counts
        )
        norms = tuple(sqrt(sum(one * one for one in row.values())) for row in orders)
        return Weighed(orders, norms, len(words))

    def _score(self, target: tuple[Weighed, ...], paraphrase: str) -> Score:
        if not target:
            return Score.undefined(NO_WORDS_TARGET)
        words = self.tokens(paraphrase)
        if not words:
            return Score.undefined(NO_WORDS)
        if self.needs_state and self._campaign.documents < 2:
            return Score.undefined(ALONE)
        candidate = self._weigh(words)
        return Score(10 * sum(self._alike(candidate, theirs) for theirs in target) / len(target))

    def _alike(self, candidate: Weighed, theirs: Weighed) -> float:
        """The mean cosine of the n-grams of two texts."""
        total = 0.0
        for own, other, norm, length in zip(
            candidate.orders, theirs.orders, candidate.norms, theirs.norms, strict=False
        ):
            if norm and length:
                shared = own.keys() & other.keys()
                total += sum(self._product(own[one], other[one]) for one in sorted(shared)) / (
                    norm * length
                )
        return total / ORDERS

    def _product(self, own: float, other: float) -> float:
        return own * other


class CiderD(Cider):
    """Counts are clipped at those of the reference, so that repeating a word gains nothing, and a
    length other than the reference's lowers the score: by half at 7 words."""

    name = "cider_d"
    title = "CIDEr-D"
    summary = say(
        "0 to 10: as CIDEr, but repeated words count once for each in the reference, and texts "
        "that are longer or shorter than it score less."
    )

    def _product(self, own: float, other: float) -> float:
        return min(own, other) * other

    def _alike(self, candidate: Weighed, theirs: Weighed) -> float:
        gap = candidate.words - theirs.words
        return super()._alike(candidate, theirs) * exp(-(gap**2) / (2 * SIGMA**2))

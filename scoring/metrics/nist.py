"""NIST (Doddington 2002), counted as the script mteval-v13a counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import exp, log, log2
from typing import Any

from scoring.metrics.base import AGAINST, Option, Pair, Score, Vector, references_option
from scoring.metrics.corpus import CorpusMetric
from scoring.metrics.ngrams import Ngram, ngrams
from scoring.metrics.texts import Tokens, reader
from scoring.metrics.tokenizers import LOWERCASE, TOKENIZE, versions

# The penalty is 0.5 for a text of two thirds of the length of its references.
BETA = log(0.5) / log(1.5) ** 2
NOT_COUNTED = (
    "The text compared with has words that the information counts of this run do not know: "
    "start a new run."
)


@dataclass(frozen=True, slots=True)
class Compared:
    """Of all texts compared with: the greatest count of each n-gram, and their mean length."""

    counts: dict[str, int]
    length: float
    counted: bool


class Nist(CorpusMetric[Compared]):
    """0 upwards without a limit: n-grams shared with the references, each worth more the rarer
    it is after the words before it among all references of the campaign.

    An order that the text is too short for adds 0, as in mteval. Undefined where the paraphrase
    or all texts compared with have no tokens.
    """

    name = "nist"
    title = "NIST"
    family = "overlap"
    needs_state = True
    WORDS_AT = 0
    OPTIONS = (
        AGAINST,
        references_option("multi", "max", "mean"),
        TOKENIZE,
        LOWERCASE,
        Option("max_n", "5", "The longest n-grams compared.", least=1, most=9),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._orders = int(self.options["max_n"])
        self.tokens = reader(self.options["tokenize"], self.options["lowercase"] == "yes")
        self._information: dict[str, float] = {}

    def versions(self) -> dict[str, str]:
        return versions(self.options["tokenize"])

    def prepare(self, pairs: Iterable[Pair]) -> dict[str, int]:
        """How often each n-gram occurs in the texts compared with: words joined by blanks, and
        the number of all words under the empty text.

        The texts of one original count once, however many paraphrases it has. An n-gram is left
        out where the words before its last occur once: its information is log2(1/1) = 0. That
        halves the state: 7 MB for 25,000 texts of 13 words.
        """
        distinct = dict.fromkeys((pair.original, self.targets(pair)) for pair in pairs)
        texts = [self.tokens(text) for _, targets in distinct for text in targets]
        return count_ngrams(texts, self._orders)

    def use(self, state: Any) -> None:
        super().use(state)
        self._information = information(state) if state else {}

    def _know(self, targets: tuple[str, ...]) -> Compared:
        texts = [cut for text in targets if (cut := self.tokens(text))]
        counts = self._counts(texts[0]) if texts else {}
        for one in texts[1:]:
            for ngram, count in self._counts(one).items():
                counts[ngram] = max(count, counts.get(ngram, 0))
        counted = all(counts.keys() >= set(one) for one in texts)
        length = sum(map(len, texts)) / len(texts) if texts else 0.0
        return Compared(counts, length, counted)

    def _counts(self, text: Tokens) -> dict[str, int]:
        """The n-grams of a text that have information. Where one has none, no longer one that
        begins with it has any, so each place is followed only as far as that."""
        counts: dict[str, int] = {}
        known = self._information
        for start, first in enumerate(text):
            ngram = first
            for word in text[start + 1 : start + self._orders]:
                if ngram not in known:
                    break
                counts[ngram] = counts.get(ngram, 0) + 1
                ngram = f"{ngram} {word}"
            if ngram in known:
                counts[ngram] = counts.get(ngram, 0) + 1
        return counts

    def _score(self, known: Compared, paraphrase: str) -> Score:
        if not known.counted:
            return Score.undefined(NOT_COUNTED)
        return super()._score(known, paraphrase)

    def _statistics(self, known: Compared, paraphrase: str) -> Vector | None:
        """Length, mean length of the references, information of each order, n-grams of each."""
        if not (known.length and known.counted):
            return None
        text = self.tokens(paraphrase)
        left = known.counts.copy()
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
                    gained[order] += self._information[ngram]
        length = len(text)
        totals = [max(0, length - order) for order in range(self._orders)]
        return (length, known.length, *gained, *totals)

    def _value(self, total: Vector) -> float:
        length, theirs = total[:2]
        gained, totals = total[2 : 2 + self._orders], total[2 + self._orders :]
        score = sum(one / max(all_, 1) for one, all_ in zip(gained, totals, strict=True))
        return score * exp(BETA * log(min(length / theirs, 1)) ** 2)


def count_ngrams(texts: list[Tokens], orders: int) -> dict[str, int]:
    """The counts that information is made of; see `Nist.prepare`.

    One order after the other: only what follows something that occurs twice is ever counted,
    which spares most of the memory that all n-grams of a large campaign would take.
    """
    words = Counter(word for text in texts for word in text)
    found = {"": words.total()} | words
    before: Mapping[Ngram, int] = {(word,): count for word, count in words.items()}
    for order in range(2, orders + 1):
        counts = Counter(
            ngram
            for text in texts
            for ngram in ngrams(text, order)
            if before.get(ngram[:-1], 0) > 1
        )
        found |= {" ".join(ngram): count for ngram, count in counts.items()}
        before = counts
    return found


def information(state: Mapping[str, int]) -> dict[str, float]:
    """Equation 2 of Doddington (2002): log2 of how often the words before the last occur by how
    often the whole n-gram does; of a word, the number of all words by its count."""
    return {
        ngram: log2(state[ngram.rpartition(" ")[0]] / count)
        for ngram, count in state.items()
        if ngram
    }

"""What the literature on paraphrases makes of BLEU: copying, iBLEU, diversity of a set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from scoring.metrics.base import AGAINST_ORIGINAL, Metric, Pair, Score, Vector
from scoring.metrics.bleu import (
    LENGTH,
    ORDERS,
    SMOOTH,
    Bleu,
    References,
    bleu_statistics,
    bleu_value,
    references_of,
)
from scoring.metrics.corpus import NO_WORDS, CorpusMetric
from scoring.metrics.ngrams import matches, ngram_counts
from scoring.metrics.options import DecimalOption
from scoring.metrics.texts import Tokens
from scoring.metrics.tokenizers import LOWERCASE, TOKENIZE

BLEU_SIZE = LENGTH + 2  # Numbers that BLEU adds up over a corpus.
NO_WORDS_ORIGINAL = "The original has no words."
MOST = 300
TOO_MANY = f"This original has more than {MOST} paraphrases: too many to compare each with each."
ONLY_ONE = "Only one paraphrase of this original has words: there is none to compare it with."


class SelfBleu(Bleu):
    """0 to 100: BLEU of the paraphrase against its original. High means copied, low means
    reworded or off the subject; lower is better."""

    name = "self_bleu"
    title = "Self-BLEU"
    family = "surface"
    higher_is_better = False
    OPTIONS = (AGAINST_ORIGINAL, TOKENIZE, LOWERCASE, SMOOTH)


@dataclass(frozen=True, slots=True)
class Both:
    """The original and the references, each ready to be compared with."""

    original: References
    references: References


class Ibleu(CorpusMetric[Both]):
    """-100 to 100: alpha * BLEU(paraphrase, references) - (1 - alpha) * BLEU(paraphrase,
    original). Near the references is good, a copy of the original is not.

    Undefined without a reference: the second part alone is no measure of quality.
    """

    name = "ibleu"
    title = "iBLEU"
    family = "combination"
    percent = True
    WORDS_AT = LENGTH
    OPTIONS = (
        DecimalOption(
            "alpha", "0.9", "The weight of the references, a number from 0 to 1; the original has "
            "the rest.",
        ),
        TOKENIZE,
        LOWERCASE,
        SMOOTH,
    )  # fmt: skip

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        chosen = {name: self.options[name] for name in ("tokenize", "lowercase", "smooth")}
        self._bleu = Bleu(**chosen)

    def versions(self) -> dict[str, str]:
        return self._bleu.versions()

    def targets(self, pair: Pair) -> tuple[str, ...]:
        """The original and then the references; nothing where there is no reference."""
        return (pair.original, *pair.references) if pair.references else ()

    def _know(self, targets: tuple[str, ...]) -> Both:
        cut = [self._bleu.tokens(text) for text in targets]
        return Both(_references(cut[:1]), _references(cut[1:]))

    def _score(self, known: Both, paraphrase: str) -> Score:
        if not known.original.lengths:
            return Score.undefined(NO_WORDS_ORIGINAL)
        return super()._score(known, paraphrase)

    def _statistics(self, known: Both, paraphrase: str) -> Vector | None:
        if not (known.original.lengths and known.references.lengths):
            return None
        text = self._bleu.tokens(paraphrase)
        near = bleu_statistics(known.references, text)
        return (*near, *bleu_statistics(known.original, text))

    def _value(self, total: Vector) -> float:
        alpha, smooth = float(self.options["alpha"]), self.options["smooth"]
        near = bleu_value(total[:BLEU_SIZE], smooth)
        return alpha * near - (1 - alpha) * bleu_value(total[BLEU_SIZE:], smooth)


def _references(texts: Sequence[Tokens]) -> References:
    return references_of([text for text in texts if text])


class PBleu(Metric[Score]):
    """0 to 100: the mean BLEU of every paraphrase of an original against every other one of it.
    Low means that they differ from each other; lower is better.

    One number for the original, given to each of its paraphrases that has words. Undefined where
    fewer than two have words, or more than 300: the work grows with the square of their number.
    """

    name = "p_bleu"
    title = "P-BLEU"
    family = "surface"
    higher_is_better = False
    percent = True
    grouped = True
    OPTIONS = (TOKENIZE, LOWERCASE, SMOOTH)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._bleu = Bleu(**self.options)

    def versions(self) -> dict[str, str]:
        return self._bleu.versions()

    def targets(self, pair: Pair) -> tuple[str, ...]:
        """All paraphrases of the original, this one among them."""
        return pair.group or (pair.paraphrase,)

    def _know(self, targets: tuple[str, ...]) -> Score:
        texts = [cut for text in targets if (cut := self._bleu.tokens(text))]
        if len(texts) < 2:
            return Score.undefined(ONLY_ONE)
        if len(texts) > MOST:
            return Score.undefined(TOO_MANY)
        total = 0.0
        counted = [(text, ngram_counts(text, ORDERS)) for text in texts]
        for (one, mine), (two, theirs) in combinations(counted, 2):
            found = matches(mine, theirs, ORDERS)
            total += self._value(found, one, two) + self._value(found, two, one)
        return Score(total / (len(texts) * (len(texts) - 1)))

    def _value(self, found: list[int], text: Tokens, other: Tokens) -> float:
        length = len(text)
        totals = (max(0, length - order) for order in range(ORDERS))
        return bleu_value((*found, *totals, length, len(other)), self.options["smooth"])

    def _score(self, known: Score, paraphrase: str) -> Score:
        return known if self._bleu.tokens(paraphrase) else Score.undefined(NO_WORDS)

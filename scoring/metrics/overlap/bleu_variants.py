"""BLEU variants for paraphrases: self-BLEU (copying), iBLEU, p-BLEU (diversity of a set)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from paraanno.plain.sentence import say
from scoring.metrics.base import AGAINST_ORIGINAL, Metric, Pair, Score, Vector
from scoring.metrics.combination_parts import part_row
from scoring.metrics.corpus_metric import NO_WORDS, NO_WORDS_ORIGINAL, CorpusMetric
from scoring.metrics.decimal_option import DecimalOption
from scoring.metrics.overlap.bleu import (
    LENGTH,
    ORDERS,
    SMOOTH,
    Bleu,
    References,
    bleu_statistics,
    bleu_value,
    references_of,
)
from scoring.metrics.texts import LOWERCASE, TOKENIZE, Tokens, matches, ngram_counts

BLEU_SIZE = LENGTH + 2  # Number of BLEU's corpus statistics.
MOST = 300
TOO_MANY = say(
    "This original has more than %(n)s paraphrases: too many to compare all pairs.", n=MOST
)
ONLY_ONE = say(
    "Only one paraphrase of this original has words: there is no other to compare it with."
)


class SelfBleu(Bleu):
    """BLEU against the original."""

    name = "self_bleu"
    title = "Self-BLEU"
    summary = say(
        "0 to 100: BLEU of the paraphrase against its original. High means copied, low means "
        "reworded or off topic; lower is better."
    )
    family = "surface"
    higher_is_better = False
    OPTIONS = (AGAINST_ORIGINAL, TOKENIZE, LOWERCASE, SMOOTH)


@dataclass(frozen=True, slots=True)
class Both:
    """The original and the references, analysed for comparison."""

    original: References
    references: References


class Ibleu(CorpusMetric[Both]):
    """Undefined without a reference: the second term alone is not a measure of quality."""

    name = "ibleu"
    title = "iBLEU"
    summary = say(
        "-100 to 100: alpha * BLEU(paraphrase, references) - (1 - alpha) * BLEU(paraphrase, "
        "original). Close to the references is good, a copy of the original is not."
    )
    family = "combination"
    percent = True
    keeps_detail = True
    WORDS_AT = LENGTH
    OPTIONS = (
        DecimalOption(
            "alpha",
            "0.9",
            say(
                "The weight of the references, a number from 0 to 1; the original has the rest."
            ),
        ),
        TOKENIZE,
        LOWERCASE,
        SMOOTH,
    )  # fmt: skip

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        chosen = {name: self.options[name] for name in ("tokenize", "lowercase", "smooth")}
        self._bleu = Bleu(**chosen)
        self._alpha = float(self.options["alpha"])

    def versions(self) -> dict[str, str]:
        return self._bleu.versions()

    def targets(self, pair: Pair) -> tuple[str, ...]:
        """The original, then the references; empty if there are no references."""
        return (pair.original, *pair.references) if pair.references else ()

    def meets(self, references: int) -> tuple[bool, int]:
        return references > 0, references

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
        return self._sum(*self._both(total))

    def _score_of(self, statistics: Vector | None) -> Score:
        if statistics is None or not statistics[self.WORDS_AT]:
            return super()._score_of(statistics)
        near, copied = self._both(statistics)
        parts = [
            part_row(Bleu.name, near, near, self._alpha),
            part_row(SelfBleu.name, copied, copied, self._alpha - 1),
        ]
        return Score(self._sum(near, copied), detail={"parts": parts})

    def _both(self, total: Vector) -> tuple[float, float]:
        """BLEU against the references, and against the original."""
        smooth = self.options["smooth"]
        return bleu_value(total[:BLEU_SIZE], smooth), bleu_value(total[BLEU_SIZE:], smooth)

    def _sum(self, near: float, copied: float) -> float:
        return self._alpha * near - (1 - self._alpha) * copied


def _references(texts: Sequence[Tokens]) -> References:
    return references_of([text for text in texts if text])


class PBleu(Metric[Score]):
    """One score per original, given to each of its paraphrases that has words. Undefined if fewer
    than two have words, or more than 300: the cost is quadratic in their number.
    """

    name = "p_bleu"
    title = "P-BLEU"
    summary = say(
        "0 to 100: the mean BLEU of every paraphrase of an original against every other one. "
        "Low means that they differ from each other; lower is better."
    )
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
        """All paraphrases of the original, including this one."""
        return pair.group or (pair.paraphrase,)

    def meets(self, references: int) -> tuple[bool, int]:
        return False, 0

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

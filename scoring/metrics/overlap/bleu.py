"""BLEU (Papineni et al. 2002) with sacrebleu's tokenizers, smoothing and formula (Post 2018)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar

from sacrebleu.metrics.bleu import BLEU

from paraanno.plain.sentence import say
from scoring.metrics.base import AGAINST, Option, Vector, references_option
from scoring.metrics.corpus_metric import CorpusMetric
from scoring.metrics.texts import (
    LOWERCASE,
    TOKENIZE,
    Ngram,
    Tokens,
    matches,
    ngram_counts,
    reader,
    versions,
)

ORDERS = 4
LENGTH = 2 * ORDERS  # Index of the text's length in the statistics.
SMOOTH = Option(
    "smooth",
    "exp",
    say("How to treat an n-gram order without matches."),
    ("exp", "floor", "add-k", "none"),
)


@dataclass(frozen=True, slots=True)
class References:
    """The references of one original: the greatest count of each n-gram, and the lengths."""

    counts: Counter[Ngram]
    lengths: tuple[int, ...]


class Bleu(CorpusMetric[References]):
    """Undefined for a paraphrase without tokens: its precisions are 0/0. In a corpus score such a
    text counts as empty, through the brevity penalty.
    """

    name = "bleu"
    title = "BLEU"
    summary = say(
        '0 to 100. Orders that a text is too short for are left out ("effective order"), so that '
        "an identical pair of two words has 100 and not 0; this does not affect a corpus with any "
        "text of four words. Unit and system scores equal sacrebleu's with the same options."
    )
    family = "overlap"
    percent = True
    WORDS_AT = LENGTH
    OPTIONS: ClassVar[tuple[Option, ...]] = (
        AGAINST,
        references_option("multi", "max", "mean"),
        TOKENIZE,
        LOWERCASE,
        SMOOTH,
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.tokens = reader(self.options["tokenize"], self.options["lowercase"] == "yes")

    def versions(self) -> dict[str, str]:
        return {"sacrebleu": version("sacrebleu"), **versions(self.options["tokenize"])}

    def _know(self, targets: tuple[str, ...]) -> References:
        texts = [cut for text in targets if (cut := self.tokens(text))]
        return references_of(texts)

    def _statistics(self, known: References, paraphrase: str) -> Vector | None:
        return bleu_statistics(known, self.tokens(paraphrase)) if known.lengths else None

    def _value(self, total: Vector) -> float:
        return bleu_value(total, self.options["smooth"])


def references_of(texts: list[Tokens]) -> References:
    """Analyse the references of one text for BLEU."""
    counts = ngram_counts(texts[0], ORDERS) if texts else Counter()
    for one in texts[1:]:
        counts |= ngram_counts(one, ORDERS)
    return References(counts, tuple(len(one) for one in texts))


def bleu_statistics(known: References, text: Tokens) -> Vector:
    """Matches and totals of orders 1 to 4, length of the text, length of its reference."""
    length = len(text)
    found = matches(ngram_counts(text, ORDERS), known.counts, ORDERS)
    totals = (max(0, length - order) for order in range(ORDERS))
    # The reference closest in length counts; of two equally close ones, the shorter.
    nearest = min(known.lengths, key=lambda other: (abs(other - length), other))
    return (*found, *totals, length, nearest)


def bleu_value(total: Vector, smooth: str) -> float:
    """BLEU from summed statistics, 0 to 100."""
    counts = [int(count) for count in total]
    result = BLEU.compute_bleu(
        correct=counts[:ORDERS],
        total=counts[ORDERS:LENGTH],
        sys_len=counts[LENGTH],
        ref_len=counts[LENGTH + 1],
        smooth_method=smooth,
        effective_order=True,
    )
    # Rounding in exp(log) would give 100.00000000000004 for a copy.
    return min(100.0, float(result.score))

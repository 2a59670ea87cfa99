"""BLEU (Papineni et al. 2002) with sacrebleu's tokenizers, smoothing and formula (Post 2018)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from itertools import combinations
from typing import Any, ClassVar

from paraanno.common.texts import say
from scoring.metrics.base import (
    NO_WORDS,
    NO_WORDS_ORIGINAL,
    NO_WORDS_TARGET,
    CorpusMetric,
    DecimalOption,
    Metric,
)
from scoring.metrics.texts.tokenizers import (
    FOLD,
    LOWERCASE,
    TOKENIZE,
    WORD_CUT,
    Ngram,
    Tokens,
    matches,
    ngram_counts,
    reader,
    tokens,
    versions,
)
from scoring.metrics.values import (
    AGAINST,
    AGAINST_ORIGINAL,
    YES_NO,
    Option,
    Pair,
    Score,
    Vector,
    part_row,
    references_option,
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

    def _statistics(self, target: References, paraphrase: str) -> Vector | None:
        return bleu_statistics(target, self.tokens(paraphrase)) if target.lengths else None

    def _value(self, total: Vector) -> float:
        return bleu_value(total, self.options["smooth"])


def references_of(texts: list[Tokens]) -> References:
    """Analyse the references of one text for BLEU."""
    counts = ngram_counts(texts[0], ORDERS) if texts else Counter()
    for one in texts[1:]:
        counts |= ngram_counts(one, ORDERS)
    return References(counts, tuple(len(one) for one in texts))


def bleu_statistics(references: References, text: Tokens) -> Vector:
    """Matches and totals of orders 1 to 4, length of the text, length of its reference."""
    length = len(text)
    matched = matches(ngram_counts(text, ORDERS), references.counts, ORDERS)
    totals = (max(0, length - order) for order in range(ORDERS))
    # The reference closest in length counts; of two equally close ones, the shorter.
    nearest = min(references.lengths, key=lambda other: (abs(other - length), other))
    return (*matched, *totals, length, nearest)


def bleu_value(total: Vector, smooth: str) -> float:
    """BLEU from summed statistics, 0 to 100."""
    counts = [int(count) for count in total]
    result = _formula()(
        correct=counts[:ORDERS],
        total=counts[ORDERS:LENGTH],
        sys_len=counts[LENGTH],
        ref_len=counts[LENGTH + 1],
        smooth_method=smooth,
        effective_order=True,
    )
    # Rounding in exp(log) would give 100.00000000000004 for a copy.
    return min(100.0, float(result.score))


@cache
def _formula() -> Callable[..., Any]:
    # Here, because pages show metrics' names and compute none, and this takes 11 MB.
    from sacrebleu import BLEU

    return BLEU.compute_bleu


# BLEU as the APEM paper (Moon et al. 2015) describes it: identical words divided by all words.


class Bleu1Max(Metric[dict[str, int]]):
    """Unigram BLEU against the best-matching reference."""

    name = "bleu_1max"
    title = "BLEU-1max"
    summary = say(
        "0 to 1: the share of the words of the paraphrase that are also in the reference; "
        "with several references, the greatest share. Single words only, no penalty for "
        "short texts."
    )
    family = "overlap"
    OPTIONS = (
        AGAINST,
        references_option("max", "mean"),
        WORD_CUT,
        FOLD,
        Option(
            "clip",
            "yes",
            say(
                "yes: a repeated word matches at most as often as it is in the "
                "reference; no: every "
                "occurrence matches, so that one correct word repeated scores 1."
            ),
            YES_NO,
        ),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._cut = self.options["tokenize"]
        self._lowercase = self.options["lowercase"] == "yes"
        self._clip = self.options["clip"] == "yes"

    def versions(self) -> dict[str, str]:
        return versions(self._cut)

    def words(self, text: str) -> Tokens:
        """The words of a text."""
        return tokens(text, self._cut, lowercase=self._lowercase)

    def _know(self, targets: tuple[str, ...]) -> dict[str, int]:
        return dict(Counter(self.words(targets[0])))

    def _score(self, target: dict[str, int], paraphrase: str) -> Score:
        if not target:
            return Score.undefined(NO_WORDS_TARGET)
        text = self.words(paraphrase)
        if not text:
            return Score.undefined(NO_WORDS)
        if not self._clip:
            return Score(sum(word in target for word in text) / len(text))
        left = target.copy()
        identical = 0
        for word in text:
            if left.get(word):
                left[word] -= 1
                identical += 1
        return Score(identical / len(text))


# BLEU variants for paraphrases: self-BLEU (copying), iBLEU, p-BLEU (diversity of a set).


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
            say("The weight of the references, a number from 0 to 1; the original has the rest."),
        ),
        TOKENIZE,
        LOWERCASE,
        SMOOTH,
    )

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

    def _score(self, target: Both, paraphrase: str) -> Score:
        if not target.original.lengths:
            return Score.undefined(NO_WORDS_ORIGINAL)
        return super()._score(target, paraphrase)

    def _statistics(self, target: Both, paraphrase: str) -> Vector | None:
        if not (target.original.lengths and target.references.lengths):
            return None
        text = self._bleu.tokens(paraphrase)
        near = bleu_statistics(target.references, text)
        return (*near, *bleu_statistics(target.original, text))

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
        for (one, counts), (two, theirs) in combinations(counted, 2):
            matched = matches(counts, theirs, ORDERS)
            total += self._value(matched, one, two) + self._value(matched, two, one)
        return Score(total / (len(texts) * (len(texts) - 1)))

    def _value(self, matched: list[int], text: Tokens, other: Tokens) -> float:
        length = len(text)
        totals = (max(0, length - order) for order in range(ORDERS))
        return bleu_value((*matched, *totals, length, len(other)), self.options["smooth"])

    def _score(self, target: Score, paraphrase: str) -> Score:
        return target if self._bleu.tokens(paraphrase) else Score.undefined(NO_WORDS)

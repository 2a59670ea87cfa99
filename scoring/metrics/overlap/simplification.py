"""Metrics of simplification: SARI, the grade level of Kincaid, and how much shorter and new a text
is. Definitions as in EASSE (Alva-Manchego et al. 2019, github.com/feralvam/easse)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from paraanno.common.texts import say
from scoring.metrics.base import (
    NO_REFERENCE,
    NO_WORDS,
    NO_WORDS_ORIGINAL,
    NO_WORDS_TARGET,
    CorpusMetric,
    Metric,
)
from scoring.metrics.texts.tokenizers import FOLD, TOKENIZE, WORD_CUT, reader, versions
from scoring.metrics.values import AGAINST_ORIGINAL, Option, Pair, Score, Vector

ORDERS = 4
Grams = tuple[Counter[tuple[str, ...]], ...]  # The n-grams of a text, by order.
_TOKENIZE_13A = replace(TOKENIZE, default="13a")


def _grams(words: Sequence[str]) -> Grams:
    return tuple(
        Counter(zip(*(words[at:] for at in range(order)), strict=False))
        for order in range(1, ORDERS + 1)
    )


class Sari(CorpusMetric[tuple[Grams, Grams, int]]):
    """SARI (Xu et al. 2016): the mean of the F1 of added, kept and deleted n-grams.

    Statistics of a text: for each order and each of added, kept and deleted three counts (right,
    of the paraphrase, of the references), then the words of the paraphrase. n-grams of the original
    and the paraphrase count as often as there are references; added ones are sets.
    """

    name = "sari"
    title = "SARI"
    summary = say(
        "0 to 100: how well n-grams were added, kept and deleted, by what references did with the "
        "original."
    )
    family = "overlap"
    percent = True
    WORDS_AT: ClassVar[int] = 9 * ORDERS
    OPTIONS = (
        Option(
            "against",
            "both",
            say("This metric always compares with the original and the references."),
            ("both",),
        ),
        Option(
            "deletion",
            "f",
            say(
                "What counts of deleted n-grams: f (the harmonic mean, as programs have it) or "
                "precision (as the paper has it)."
            ),
            ("f", "precision"),
        ),
        _TOKENIZE_13A,
        FOLD,
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._read = reader(self.options["tokenize"], self.options["lowercase"] == "yes")

    def versions(self) -> dict[str, str]:
        return versions(self.options["tokenize"])

    def meets(self, references: int) -> tuple[bool, int]:
        return references > 0, references

    def targets(self, pair: Pair) -> tuple[str, ...]:
        """The original, then the references; nothing without a reference."""
        return (pair.original, *pair.references) if pair.references else ()

    def refusal(self, targets: tuple[str, ...], paraphrase: str) -> str:
        return NO_REFERENCE if not targets else super().refusal(targets, paraphrase)

    def _know(self, targets: tuple[str, ...]) -> tuple[Grams, Grams, int]:
        original, *references = (_grams(self._read(text)) for text in targets)
        together = tuple(
            sum((one[order] for one in references), Counter[tuple[str, ...]]())
            for order in range(ORDERS)
        )
        return original, together, len(references)

    def _statistics(self, target: tuple[Grams, Grams, int], paraphrase: str) -> Vector | None:
        original, references, number = target
        if not original[0]:
            return None
        words = self._read(paraphrase)
        counts: list[int] = []
        for source, given, own in zip(original, references, _grams(words), strict=True):
            source, own = (_times(one, number) for one in (source, own))
            added, wanted = own.keys() - source.keys(), given.keys() - source.keys()
            counts += [len(added & wanted), len(added), len(wanted)]
            for actual, theirs in ((source & own, source & given), (source - own, source - given)):
                counts += [(actual & theirs).total(), actual.total(), theirs.total()]
        return (*map(float, counts), float(len(words)))

    def _value(self, total: Vector) -> float:
        scores = [self._part(total, at) for at in range(0, 9 * ORDERS, 3)]
        return 100 * sum(scores) / len(scores)

    def _part(self, total: Vector, at: int) -> float:
        """The score of one operation and order; 0 where nothing was done or to be done."""
        right, actual, theirs = total[at : at + 3]
        if at % 9 == 6 and self.options["deletion"] == "precision":
            return right / actual if actual else 0.0
        return 2 * right / (actual + theirs) if right else 0.0


def _times(counts: Counter[tuple[str, ...]], number: int) -> Counter[tuple[str, ...]]:
    return Counter({one: n * number for one, n in counts.items()})


# Kincaid, Fishburne, Rogers and Chissom (1975), "Derivation of new readability formulas".

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|\n+")
_HIATUS = re.compile("(?<![cgstx])i[ao](?!u)")
_VOWELS = re.compile("[aeiouy]+")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


class Fkgl(CorpusMetric[None]):
    """Statistics of a text: sentences, words, syllables."""

    name = "fkgl"
    title = "Flesch-Kincaid grade level"
    summary = say(
        "The years of school in the USA that a text asks for, by the lengths of sentences and "
        "words; of the paraphrase alone. Lower is easier to read, not better in meaning."
    )
    family = "surface"
    higher_is_better = False
    languages = ("en",)
    WORDS_AT: ClassVar[int] = 1
    OPTIONS = (
        AGAINST_ORIGINAL,
        Option(
            "count",
            "words",
            say("What counts as a word: words, or tokens of 13a with punctuation (as EASSE does)."),
            ("words", "tokens"),
        ),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.language = "en"
        tokens = self.options["count"] == "tokens"
        self._read = reader("13a", True) if tokens else _WORD.findall

    def _know(self, targets: tuple[str, ...]) -> None:
        return None

    def _statistics(self, target: None, paraphrase: str) -> Vector:
        sentences = [
            words for part in _SENTENCE_END.split(paraphrase) if (words := self._read(part))
        ]
        syllables = sum(syllables_of(word) for words in sentences for word in words)
        return float(len(sentences)), float(sum(map(len, sentences))), float(syllables)

    def _value(self, total: Vector) -> float:
        sentences, words, syllables = total
        return 0.39 * words / sentences + 11.8 * syllables / words - 15.59


def syllables_of(word: str) -> int:
    """The syllables of an English word by its letters.

    Groups of vowels, two where `i` stands before `a` or `o` as in `radio`, without an `e` or `es`
    or `ed` at the end that is silent; at least 1, but 0 for what has no letter or digit.
    """
    word = word.lower()
    if not any(map(str.isalnum, word)):
        return 0
    number = len(_VOWELS.findall(word)) + len(_HIATUS.findall(word))
    if re.search(r"[^aeiouy](?:e|es|ed)$", word) and not re.search(
        r"(?:[^aeiouyl]le|[^aeiouy]les|[td]ed|(?:[csxzg]|sh|ch)es)$", word
    ):
        number -= 1
    return max(1, number)


# The two below are those of EASSE's "quality estimation" (its package tseval).


class Compression(Metric[int]):
    """`higher_is_better` is true only so that no page reverses the sign of the ratio."""

    name = "compression"
    title = "Compression ratio"
    summary = say(
        "Above 0; 1 for as many characters as the original. Neither higher nor lower is better."
    )
    family = "surface"
    OPTIONS = (AGAINST_ORIGINAL,)

    def _know(self, targets: tuple[str, ...]) -> int:
        return len(targets[0]) if targets[0].strip() else 0

    def _score(self, target: int, paraphrase: str) -> Score:
        if not paraphrase.strip():
            return Score.undefined(NO_WORDS)
        return Score(len(paraphrase) / target) if target else Score.undefined(NO_WORDS_TARGET)


class Additions(Metric[Counter[str]]):
    """The words of the paraphrase that the original lacks, each as often as it is more, divided by
    the words of the longer text."""

    name = "additions"
    title = "Additions"
    summary = say("0 (no word is new) to 1 (all are): the share of words that were added.")
    family = "surface"
    OPTIONS = (AGAINST_ORIGINAL, replace(WORD_CUT, default="words"), FOLD)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._read = reader(self.options["tokenize"], self.options["lowercase"] == "yes")

    def versions(self) -> dict[str, str]:
        return versions(self.options["tokenize"])

    def _know(self, targets: tuple[str, ...]) -> Counter[str]:
        return Counter(self._read(targets[0]))

    def _score(self, target: Counter[str], paraphrase: str) -> Score:
        words = Counter(self._read(paraphrase))
        if not target:
            return Score.undefined(NO_WORDS_ORIGINAL)
        if not words:
            return Score.undefined(NO_WORDS)
        return Score((words - target).total() / max(target.total(), words.total()))


# ROUGE-Lsum needs sentences too.


def sentences_of(text: str, *, lines: bool) -> Iterator[str]:
    """The sentences of a text: its lines, or what marks of the end of a sentence divide."""
    parts = text.split("\n") if lines else _SENTENCE_END.split(text)
    return filter(str.strip, parts)

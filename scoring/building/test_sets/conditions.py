"""The eight conditions of Callison-Burch (2008): how the paraphrase of a phrase is chosen.

| number | paraphrases |
|---|---|
| 0 | the most probable |
| 2 | syntactic constraints when paraphrases are extracted: the most probable in the mean over the labels of the phrase |
| 4 | constraints when they are substituted: the most probable of those seen with the label that the phrase has in the sentence |
| 6 | both: the most probable given the label that the phrase has in the sentence |
| 1, 3, 5, 7 | those of 0, 2, 4, 6, chosen with the help of a language model |
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import log10
from typing import Protocol

from scoring.building.alignment.parallel import Words
from scoring.metrics.resources.language_model import LanguageModel

Ranked = list[tuple[str, float]]  # Paraphrases with their probabilities, the best first.
CANDIDATES = 30  # Paraphrases that the language model chooses among.
MIN_LABELLED = 5
BASELINE, EXTRACTION, SUBSTITUTION, BOTH = 0, 2, 4, 6
CONSTRAINED = (EXTRACTION, SUBSTITUTION, BOTH)


class Source(Protocol):
    """Where paraphrases come from. `labels` is empty if it has none by label."""

    @property
    def labels(self) -> tuple[str, ...]: ...

    def best(self, phrase: str) -> Ranked: ...

    def labels_of(self, phrase: str) -> dict[str, int]: ...

    def best_with(self, phrase: str, label: str) -> Ranked: ...


@dataclass(frozen=True, slots=True)
class Chosen:
    """A paraphrase with its probability in the condition, and the log10 probability that the
    language model gives to the sentence with it (None without a model)."""

    text: str
    probability: float
    fluency: float | None


class Chooser:
    """Chooses paraphrases from one source."""

    def __init__(
        self, source: Source, *, model: LanguageModel | None = None, parsed: bool = False,
        weight: float = 1.0, per_word: bool = False, min_labelled: int = MIN_LABELLED,
    ) -> None:  # fmt: skip
        """`parsed`: labels of places will be given. The language model counts `weight` times, as
        the log10 probability of the sentence with its end, `per_word` divided by its words + 1. A
        phrase with fewer than `min_labelled` labelled phrase pairs has none in 2 and 6."""
        self._source = source
        self._model = model
        self._parsed = parsed and bool(source.labels)
        self._weight = weight
        self._per_word = per_word
        self._least = min_labelled
        self._best = lru_cache(maxsize=100_000)(source.best)
        self._labels_of = lru_cache(maxsize=100_000)(source.labels_of)
        self._extracted = lru_cache(maxsize=10_000)(self._over_labels)

    def conditions(self) -> tuple[int, ...]:
        """The conditions that can be made: those of the parts that are there."""
        plain = [BASELINE]
        if self._source.labels:
            plain += CONSTRAINED if self._parsed else CONSTRAINED[:1]
        return tuple(k + lm for k in plain for lm in ((0, 1) if self._model else (0,)))

    def has(self, phrase: str) -> bool:
        """Whether the phrase has a paraphrase at all."""
        return bool(self._best(phrase))

    def choose(
        self, words: Words, start: int, end: int, label: str | None
    ) -> dict[int, list[Chosen]]:
        """For each condition the paraphrases of a span of a sentence, the best first (up to
        CANDIDATES; empty if the condition has none). `label` is that of the span here."""
        phrase = " ".join(words[start:end])
        lists = {k: self._ranked(k, phrase, label) for k in self.conditions() if k % 2 == 0}
        logs = self._fluency(words, start, end, lists.values())
        found: dict[int, list[Chosen]] = {}
        for condition, ranked in lists.items():
            choices = [Chosen(text, value, logs.get(text)) for text, value in ranked]
            found[condition] = choices
            if self._model is not None:
                found[condition + 1] = sorted(
                    choices, key=lambda one: -self._together(one, len(words) - end + start)
                )
        return dict(sorted(found.items()))

    def _ranked(self, condition: int, phrase: str, label: str | None) -> Ranked:
        if condition == EXTRACTION:
            return self._extracted(phrase)
        if condition == SUBSTITUTION:
            if label is None:
                return []
            fits = (one for one in self._best(phrase) if label in self._labels_of(one[0]))
            return [one for one, _ in zip(fits, range(CANDIDATES), strict=False)]
        if condition == BOTH:
            if label is None or self._labels_of(phrase).get(label, 0) < self._least:
                return []
            return self._source.best_with(phrase, label)[:CANDIDATES]
        return self._best(phrase)[:CANDIDATES]

    def _over_labels(self, phrase: str) -> Ranked:
        """The sum over labels s of p(s | phrase) p(paraphrase | phrase, s)."""
        times = self._labels_of(phrase)
        whole = sum(times.values())
        if whole < self._least:
            return []
        sums: dict[str, float] = {}
        for label, n in times.items():
            for text, value in self._source.best_with(phrase, label):
                sums[text] = sums.get(text, 0.0) + n / whole * value
        return sorted(sums.items(), key=lambda one: (-one[1], one[0]))[:CANDIDATES]

    def _fluency(
        self, words: Words, start: int, end: int, lists: Iterable[Ranked]
    ) -> dict[str, float]:
        if self._model is None:
            return {}
        texts = list(dict.fromkeys(text for ranked in lists for text, _ in ranked))
        sentences = [[*words[:start], *text.split(" "), *words[end:]] for text in texts]
        return dict(zip(texts, self._model.score(sentences).logprob.tolist(), strict=True))

    def _together(self, one: Chosen, others: int) -> float:
        fluency = one.fluency or 0.0
        if self._per_word:
            fluency /= others + one.text.count(" ") + 2
        return log10(one.probability) + self._weight * fluency

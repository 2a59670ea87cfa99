"""Base class of metrics whose corpus score comes from summed counts, not from text scores."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from paraanno.plain.sentence import say
from scoring.metrics.base import Kind, Known, Metric, Pair, Score, Vector, by_original

NO_WORDS = say("The paraphrase has no words.")
NO_WORDS_ORIGINAL = say("The original has no words.")
NO_WORDS_TARGET = say("The text compared with has no words.")
NOTHING = say("No text of this system has both words and a text to compare with.")


class CorpusMetric(Metric[Known]):
    """A subclass supplies `_statistics` (the counts of a text) and `_value` (the score of summed
    counts); one text is a corpus of size one."""

    system_kind: Kind = "corpus"
    WORDS_AT: ClassVar[int]  # Index of the paraphrase's length in the statistics.

    @abstractmethod
    def _statistics(self, known: Known, paraphrase: str) -> Vector | None:
        """Counts that are summed over a corpus; None if the text to compare with is empty."""

    @abstractmethod
    def _value(self, total: Vector) -> float:
        """The score of summed counts; the total length of the paraphrases is above 0."""

    def _score(self, known: Known, paraphrase: str) -> Score:
        return self._score_of(self._statistics(known, paraphrase))

    def _score_of(self, statistics: Vector | None) -> Score:
        if statistics is None:
            return Score.undefined(NO_WORDS_TARGET)
        if not statistics[self.WORDS_AT]:
            return Score.undefined(NO_WORDS)
        return Score(self._value(statistics))

    def score_and_statistics(
        self, pairs: Sequence[Pair]
    ) -> tuple[list[Score], list[Vector | None]]:
        """Scores and statistics from one pass over the texts."""
        if self.system_kind == "mean":
            return super().score_and_statistics(pairs)
        self.check_prepared()
        found = self._refused_or_counted(pairs)
        scores = [
            Score.undefined(one) if isinstance(one, str) else self._score_of(one) for one in found
        ]
        return scores, [None if isinstance(one, str) else one for one in found]

    def corpus_statistics(self, pairs: Sequence[Pair]) -> list[Vector | None]:
        found = self._refused_or_counted(pairs)
        return [None if isinstance(one, str) else one for one in found]

    def _refused_or_counted(self, pairs: Sequence[Pair]) -> list[str | Vector | None]:
        """For each pair the reason why it cannot be compared, else its statistics."""
        found: list[str | Vector | None] = [None] * len(pairs)
        for places in by_original(pairs):
            known: dict[tuple[str, ...], Known] = {}
            for at in places:
                targets, text = self.targets(pairs[at]), pairs[at].paraphrase
                found[at] = (
                    self.language_refusal(pairs[at].language)
                    or self.refusal(targets, text)
                    or self._statistics(self.known(targets, known), text)
                )
        return found

    def corpus_value(self, total: Vector) -> Score:
        if not total or not total[self.WORDS_AT]:
            return Score.undefined(NOTHING)
        return Score(self._value(total))

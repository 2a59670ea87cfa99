"""Fluency by a language model: how probable the paraphrase's sentence is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from paraanno.common.texts import say
from scoring.metrics.base import NO_WORDS, Metric
from scoring.metrics.resources.arpa import LM, LanguageModel, load_model, model_sha256
from scoring.metrics.texts.tokenizers import LOWERCASE, TOKENIZE, tokens, versions
from scoring.metrics.values import AGAINST_ORIGINAL, Option, Pair, Score

_NO_WORDS_ORIGINAL = say("The original has no words.")


@dataclass(frozen=True, slots=True)
class Measured:
    """A text's log10 probability with its end; how many words it has, and how many of them the
    model does not know; the sum of its words' log10 probabilities without context."""

    logprob: float
    words: int
    unknown: int
    alone: float


class LmFluency(Metric[Measured]):
    """The log10 probability of the paraphrase's sentence by an n-gram model, by word or otherwise
    normalised; it needs no reference, and says nothing about meaning."""

    name = "lm_fluency"
    title = "Fluency by a language model"
    summary = say(
        "Below 0, and nearer to 0 is more fluent: the log10 probability of a word of the sentence "
        "by an n-gram language model. It needs no reference."
    )
    family = "language model"
    sentences_only = True
    longest = 20_000
    OPTIONS = (
        AGAINST_ORIGINAL,
        LM,
        Option(
            "normalise",
            "per_word",
            say(
                "per_word divides the log probability by the number of words, the sentence's end "
                "included; slor first subtracts the words' own (unigram) log probabilities, so "
                "that rare words do not count against a text; delta subtracts that of the "
                "original; raw leaves it as it is, which favours short texts."
            ),
            ("per_word", "slor", "delta", "raw"),
        ),
        replace(TOKENIZE, default="none"),
        LOWERCASE,
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._lowercase = self.options["lowercase"] == "yes"
        self._normalise = self.options["normalise"]
        self._model: LanguageModel | None = None

    @property
    def model(self) -> LanguageModel:
        """The model, loaded lazily."""
        if self._model is None:
            self._model = load_model(self.options["lm"])
        return self._model

    def load(self) -> None:
        self._model = load_model(self.options["lm"])

    def versions(self) -> dict[str, str]:
        return versions(self.options["tokenize"])

    def resources(self) -> dict[str, str]:
        return {"lm": model_sha256(self.options["lm"])}

    def score_many(self, pairs: Sequence[Pair]) -> list[Score]:
        """Scores in the order of `pairs`; each distinct text is measured once, all together."""
        refusals = [
            self.language_refusal(pair.language) or self.refusal((pair.original,), pair.paraphrase)
            for pair in pairs
        ]
        scorable = [pair for pair, refusal in zip(pairs, refusals, strict=True) if not refusal]
        texts = [pair.paraphrase for pair in scorable]
        if self._normalise == "delta":
            texts += [pair.original for pair in scorable]
        measured = self._measured(texts)
        return [
            Score.undefined(refusal)
            if refusal
            else self._value(measured[pair.paraphrase], measured.get(pair.original))
            for pair, refusal in zip(pairs, refusals, strict=True)
        ]

    def _know(self, targets: tuple[str, ...]) -> Measured:
        return self._measured(targets)[targets[0]]

    def _score(self, target: Measured, paraphrase: str) -> Score:
        return self._value(self._measured([paraphrase])[paraphrase], target)

    def _measured(self, texts: Iterable[str]) -> Mapping[str, Measured]:
        distinct = list(dict.fromkeys(texts))
        cut = [
            tokens(text, self.options["tokenize"], lowercase=self._lowercase) for text in distinct
        ]
        scores = self.model.score(cut)
        columns = (scores.logprob, scores.words, scores.unknown, scores.alone)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return {text: Measured(*row) for text, row in zip(distinct, rows, strict=True)}

    def _value(self, candidate: Measured, original: Measured | None) -> Score:
        if not candidate.words:
            return Score.undefined(NO_WORDS)
        detail = {
            "logprob10": candidate.logprob,
            "words": candidate.words,
            "unknown": candidate.unknown,
        }
        if self._normalise == "raw":
            return Score(candidate.logprob, detail=detail)
        if self._normalise == "slor":
            return Score((candidate.logprob - candidate.alone) / candidate.words, detail=detail)
        if self._normalise == "per_word":
            return Score(candidate.logprob / (candidate.words + 1), detail=detail)
        if original is None or not original.words:
            return Score.undefined(_NO_WORDS_ORIGINAL)
        return Score(
            candidate.logprob - original.logprob, detail={**detail, "original": original.logprob}
        )

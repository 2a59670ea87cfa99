"""Metrics on the vectors of a neural model: cosine of sentences, and greedy matching of tokens."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from paraanno.common.cells import known_tag
from paraanno.common.texts import joined, say
from scoring.metrics.base import NO_WORDS, NO_WORDS_TARGET, DecimalOption, Metric
from scoring.metrics.neural.encoder import LAST, Encoded, Encoder, load_encoder
from scoring.metrics.overlap.bleu import SMOOTH, SelfBleu
from scoring.metrics.resources.model_packages import take_installed
from scoring.metrics.resources.neural_models import (
    AUTO,
    MODEL,
    WEIGHTS,
    digests,
    find_model,
    fitting_model,
    known_model,
    lacking,
    versions,
)
from scoring.metrics.texts.tokenizers import LOWERCASE, TOKENIZE
from scoring.metrics.values import (
    AGAINST,
    AGAINST_ORIGINAL,
    YES_NO,
    Option,
    Pair,
    Score,
    part_row,
    references_option,
)

# Rounded: the last digits of a vector depend on the other texts in its batch.
DIGITS = 6
NOT_ABOVE_0 = say("Precision or recall is not above 0: they have no harmonic mean.")
FOREIGN = say("The model knows nothing of the paraphrase.")
FOREIGN_TARGET = say("The model knows nothing of the text compared with.")
_LATIN = "\u0250"  # The first letter behind the Latin ones.
_BYTES = 50_000_000  # With typical models, 250 pairs of sentences take one to two seconds.

Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayerOption(Option):
    """A layer of a model: `last`, or its number; 0 is the input layer."""

    def read(self, metric: str, given: object) -> str:
        if str(given).strip() == "last":
            return "last"
        return Option(self.name, "", "", least=0, most=200).read(metric, given)


LAYER = LayerOption(
    "layer",
    "last",
    say("The layer whose vectors are compared: last, or its number from 0 upwards."),
)


class Neural(Metric[Texts]):
    """A subclass supplies `_of_pair`, the score of a pair whose texts have been encoded."""

    family = "neural"
    queue = "neural"

    def __init__(self, **options: Any) -> None:
        """Raises ValueError with the remedy if libraries or the model are missing."""
        if lack := lacking():
            raise ValueError(joined(": ", (self.name, lack)))
        if options.get("model", AUTO) == AUTO:
            options["model"] = fitting_model(())
        super().__init__(**options)
        take_installed(self.options["model"])
        self._folder = find_model(self.name, self.options["model"])
        layer = self.options.get("layer", "last")
        self._layer = LAST if layer == "last" else int(layer)
        size = (self._folder / WEIGHTS).stat().st_size
        self.chunk_size = max(10, min(250, 250 * _BYTES // max(1, size)))
        self._encoder: Encoder | None = None

    @classmethod
    def lacking(cls) -> str:
        return lacking()

    @classmethod
    def in_languages(cls, options: Mapping[str, str], languages: Iterable[str]) -> dict[str, str]:
        """The options with the model that fits the texts, unless one is named."""
        given = super().in_languages(options, languages)
        if given.get("model", AUTO) == AUTO:
            given["model"] = fitting_model(languages)
        return given

    @property
    def encoder(self) -> Encoder:
        """The model, loaded lazily."""
        if self._encoder is None:
            self._encoder = self._load()
        return self._encoder

    def load(self) -> None:
        self._encoder = self._load()

    def _load(self) -> Encoder:
        encoder = load_encoder(self._folder)
        if self._layer > encoder.layers:
            raise ValueError(
                say(
                    "%(metric)s: layer=%(layer)s is not allowed; the model %(model)s has %(n)s.",
                    metric=self.name,
                    layer=self._layer,
                    model=self.options["model"],
                    n=encoder.layers,
                )
            )
        return encoder

    def versions(self) -> dict[str, str]:
        return versions(self._folder)

    def resources(self) -> dict[str, str]:
        return digests(self._folder)

    def score_many(self, pairs: Sequence[Pair]) -> list[Score]:
        scores: list[Score] = []
        for start in range(0, len(pairs), self.chunk_size):
            block = pairs[start : start + self.chunk_size]
            refusals = [
                self.language_refusal(pair.language)
                or self._script_refusal(pair)
                or self.refusal(self.targets(pair), pair.paraphrase)
                for pair in block
            ]
            texts = [
                text
                for pair, refusal in zip(block, refusals, strict=True)
                if not refusal
                for text in (*self.targets(pair), pair.paraphrase)
            ]
            encoded = self.encoder.encode(texts, self._layer)
            scores += [
                Score.undefined(refusal) if refusal else self._of_pair(pair, encoded)
                for pair, refusal in zip(block, refusals, strict=True)
            ]
        return scores

    def _script_refusal(self, pair: Pair) -> str:
        """Why a model for English cannot read a text of unknown language; empty if it can."""
        model = known_model(self.options["model"])
        if model and model.language == "en" and not known_tag(pair.language):
            letters = [one for one in pair.original + pair.paraphrase if one.isalpha()]
            if 2 * sum(one < _LATIN for one in letters) < len(letters):
                return say(
                    "The text is not in Latin letters, and the model %(model)s reads English: "
                    "name the language of the texts, or another model.",
                    model=model.name,
                )
        return ""

    def similarities(
        self, pair: Pair, encoded: Mapping[str, Encoded], part: str = "f"
    ) -> list[Score]:
        """The F1 of matched tokens, or precision or recall, with each text to compare with."""
        candidate = encoded[pair.paraphrase]
        scores = []
        for target in self.targets(pair):
            problem = self.problem(candidate, encoded[target])
            scores.append(
                Score.undefined(problem) if problem else matched(candidate, encoded[target], part)
            )
        return scores

    def problem(self, candidate: Encoded, other: Encoded) -> str:
        """The reason why a paraphrase and a text cannot be compared; empty if they can."""
        most = self.encoder.most
        if not candidate.words.any():
            return NO_WORDS
        if not other.words.any():
            return NO_WORDS_TARGET
        if candidate.foreign:
            return FOREIGN
        if other.foreign:
            return FOREIGN_TARGET
        if candidate.length > most:
            return say(
                "The paraphrase has %(n)s tokens: the model takes at most %(most)s.",
                n=candidate.length,
                most=most,
            )
        if other.length > most:
            return say(
                "The text compared with has %(n)s tokens: the model takes at most %(most)s.",
                n=other.length,
                most=most,
            )
        return ""

    @abstractmethod
    def _of_pair(self, pair: Pair, encoded: Mapping[str, Encoded]) -> Score:
        """The score of a pair; `encoded` contains all its texts."""

    # Unused: the model encodes many texts at once, so pairs are not scored one by one.
    def _know(self, targets: Texts) -> Texts:
        return targets

    def _score(self, target: Texts, paraphrase: str) -> Score:
        return self.score(Pair(target[0], paraphrase, target[1:]))


class SentenceCosine(Neural):
    """Equal to sentence-transformers with the same model and pooling, up to 512 tokens."""

    name = "sentence_cosine"
    title = "Sentence cosine"
    summary = say("-1 to 1: the cosine of two texts, each encoded as one vector by a neural model.")
    OPTIONS = (
        AGAINST,
        references_option("max", "mean"),
        MODEL,
        Option(
            "pooling",
            "mean",
            say("The vector of a text: mean of its tokens, or cls, the first token of the model."),
            ("mean", "cls"),
        ),
    )

    def _of_pair(self, pair: Pair, encoded: Mapping[str, Encoded]) -> Score:
        candidate = encoded[pair.paraphrase]
        return self._of_several(
            [self._cosine(candidate, encoded[target]) for target in self.targets(pair)]
        )

    def _cosine(self, candidate: Encoded, other: Encoded) -> Score:
        if problem := self.problem(candidate, other):
            return Score.undefined(problem)
        one, two = self._vector(candidate), self._vector(other)
        return Score(_rounded(float(one @ two / np.sqrt((one @ one) * (two @ two)))))

    def _vector(self, text: Encoded) -> NDArray[np.float64]:
        rows = text.hidden[:1] if self.options["pooling"] == "cls" else text.hidden
        mean: NDArray[np.float64] = rows.mean(axis=0, dtype=np.float64)
        return mean


class EmbeddingF1(Neural):
    """The formula of BERTScore (Zhang et al. 2020) without idf weights and without rescaling.

    Numbers of different models or layers must not be compared.
    """

    name = "embedding_f1"
    title = "BERTScore-style F1"
    summary = say(
        "-1 to 1, mostly 0.3 to 1: each token is matched with the nearest one of the other "
        "text, by the contextual vectors of a neural model."
    )
    OPTIONS = (
        AGAINST,
        references_option("max", "mean"),
        MODEL,
        LAYER,
        Option(
            "part",
            "f",
            say(
                "What is reported: f (the harmonic mean of both), precision (from the "
                "tokens of the "
                "paraphrase to the nearest in the other text) or recall (the reverse)."
            ),
            ("f", "precision", "recall"),
        ),
    )

    def _of_pair(self, pair: Pair, encoded: Mapping[str, Encoded]) -> Score:
        return self._of_several(self.similarities(pair, encoded, self.options["part"]))


def matched(candidate: Encoded, other: Encoded, part: str = "f") -> Score:
    """Greedy matching of the paraphrase's tokens with those of another text."""
    cosines = (
        directions(candidate.hidden[candidate.words]) @ directions(other.hidden[other.words]).T
    )
    precision, recall = (float(cosines.max(axis=axis).mean()) for axis in (1, 0))
    if part != "f":
        return Score(_rounded(precision if part == "precision" else recall))
    if min(precision, recall) <= 0:
        return Score.undefined(NOT_ABOVE_0)
    return Score(_rounded(2 * precision * recall / (precision + recall)))


def directions(hidden: NDArray[np.float32]) -> NDArray[np.float64]:
    """The vectors of tokens, each of length 1."""
    rows = hidden.astype(np.float64)
    unit_vectors: NDArray[np.float64] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit_vectors


def _rounded(value: float) -> float:
    return max(-1.0, min(1.0, round(value, DIGITS)))


# Metrics that combine similarity in meaning by a neural model with difference in wording.


WEIGHT = 0.05  # Weight of the difference in wording. Fixed: see the metric's documentation.
GAMMA = 0.35  # The edit distance above which the reward no longer grows.


class BertIbleu(Neural):
    """BERT-iBLEU = [(beta / F1 + 1 / (1 - self-BLEU)) / (beta + 1)]^-1."""

    name = "bert_ibleu"
    title = "BERT-iBLEU"
    summary = say(
        "0 (a copy, or nothing in common) to 1: the weighted harmonic mean of similarity in "
        "meaning by a neural model and difference in wording by self-BLEU."
    )
    keeps_detail = True
    OPTIONS = (
        AGAINST_ORIGINAL,
        MODEL,
        LAYER,
        DecimalOption("beta", "4", say("The weight of meaning relative to wording."), high=100),
        TOKENIZE,
        LOWERCASE,
        SMOOTH,
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._beta = float(self.options["beta"])
        chosen = {name: self.options[name] for name in ("tokenize", "lowercase", "smooth")}
        self._self_bleu = SelfBleu(**chosen)

    def versions(self) -> dict[str, str]:
        return super().versions() | self._self_bleu.versions()

    def _of_pair(self, pair: Pair, encoded: Mapping[str, Encoded]) -> Score:
        meaning = self.similarities(pair, encoded)[0]
        copied = self._self_bleu.score(pair)
        if meaning.value is None:
            return meaning
        if copied.value is None:
            return copied
        new = 1 - copied.value / 100
        parts = [
            part_row(EmbeddingF1.name, meaning.value, meaning.value, self._beta),
            part_row(SelfBleu.name, copied.value, new, 1.0),
        ]
        if new <= 0:
            return Score(0.0, detail={"parts": parts})  # The limit, since 1 / 0 is undefined.
        value = (self._beta + 1) / (self._beta / meaning.value + 1 / new)
        return Score(round(value, DIGITS), detail={"parts": parts})


class ParaScore(Neural):
    """Similarity in meaning, plus a bounded reward for new wording."""

    name = "parascore"
    title = "ParaScore (fixed weight)"
    summary = say(
        "-1.05 to 1.0175: similarity in meaning by a neural model, plus a small reward for a "
        "difference in wording from the original, or a small penalty if there is hardly any."
    )
    keeps_detail = True
    longest = 20_000  # The distance between two texts of 100,000 characters takes seconds.
    OPTIONS = (
        MODEL,
        LAYER,
        Option(
            "free",
            "no",
            say(
                "Without references: yes takes the similarity to the original only, no "
                "the greatest "
                "of those to the original and to the references."
            ),
            YES_NO,
        ),
    )

    def versions(self) -> dict[str, str]:
        return super().versions() | {"rapidfuzz": version("rapidfuzz")}

    def targets(self, pair: Pair) -> tuple[str, ...]:
        """The original, then the references if they are used."""
        if self.options["free"] == "yes":
            return (pair.original,)
        return (pair.original, *pair.references)

    def meets(self, references: int) -> tuple[bool, int]:
        return True, 0 if self.options["free"] == "yes" else references

    def _of_pair(self, pair: Pair, encoded: Mapping[str, Encoded]) -> Score:
        scores = self.similarities(pair, encoded)
        if scores[0].value is None:
            return scores[0]
        meaning = max(one.value for one in scores if one.value is not None)
        distance = _distance(pair.original, pair.paraphrase)
        diversity = _diversity(distance)
        parts = [
            part_row(EmbeddingF1.name, meaning, meaning, 1.0),
            part_row("edit_distance", distance, diversity, WEIGHT),
        ]
        return Score(round(meaning + WEIGHT * diversity, DIGITS), detail={"parts": parts})


def _distance(original: str, paraphrase: str) -> float:
    """The edit distance divided by the length of the longer text."""
    return Levenshtein.distance(original, paraphrase) / max(len(original), len(paraphrase))


def _diversity(distance: float) -> float:
    """The diversity term: -1 for a copy, rising to GAMMA at an edit distance of GAMMA, then
    constant."""
    return GAMMA if distance >= GAMMA else distance * (GAMMA + 1) / GAMMA - 1

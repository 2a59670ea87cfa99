"""Metrics that combine similarity in meaning by a neural model with difference in wording."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from rapidfuzz.distance import Levenshtein

from paraanno.plain.sentence import say
from scoring.metrics.base import AGAINST_ORIGINAL, YES_NO, Option, Pair, Score
from scoring.metrics.combination_parts import part_row
from scoring.metrics.decimal_option import DecimalOption
from scoring.metrics.neural.encoder import Encoded
from scoring.metrics.neural.metrics import DIGITS, LAYER, EmbeddingF1, Neural
from scoring.metrics.overlap.bleu import SMOOTH
from scoring.metrics.overlap.bleu_variants import SelfBleu
from scoring.metrics.resources.neural_models import MODEL
from scoring.metrics.texts import LOWERCASE, TOKENIZE

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
        found = self.similarities(pair, encoded)
        if found[0].value is None:
            return found[0]
        meaning = max(one.value for one in found if one.value is not None)
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

"""APEM (Moon, Gweon, Choi and Heo 2015): meaningful morphemes of the original that come back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scoring.metrics import content_words, morphemes
from scoring.metrics.base import AGAINST_ORIGINAL, Metric, Option, Score
from scoring.metrics.matching import Matching, Original
from scoring.metrics.morphemes import AUXILIARIES, SEGMENTATION
from scoring.metrics.tokenizers import versions

LANG = Option(
    "lang",
    "ko",
    "The language: ko takes morphemes by Kiwi, en content words by their lemma.",
    ("ko", "en"),
)
APEM_OPTIONS: tuple[Option, ...] = (AGAINST_ORIGINAL, LANG, SEGMENTATION, AUXILIARIES)


@dataclass(frozen=True, slots=True)
class Analysis:
    """How texts are cut into units of meaning; equal ones cut alike."""

    lang: str
    segmentation: str
    auxiliaries: str

    def __call__(self, text: str) -> tuple[str, ...]:
        if self.lang == "en":
            return content_words.content_words(text)
        return morphemes.meaningful(
            text, segmentation=self.segmentation, auxiliaries=self.auxiliaries
        )


class Apem(Metric[Original]):
    """0 to 1: the share of the original's meaningful morphemes that the paraphrase has too.

        APEM = matched morphemes / meaningful morphemes of the original

    Meaningful are all morphemes but endings, particles and marks. Each is matched once. Not
    symmetric: what a paraphrase adds costs nothing.
    """

    name = "apem"
    title = "APEM"
    family = "morphemes"
    keeps_detail = True
    longest = 20_000  # The analyser takes up to a second for it.
    OPTIONS = APEM_OPTIONS

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.analysis = Analysis(
            self.options["lang"], self.options["segmentation"], self.options["auxiliaries"]
        )

    def load(self) -> None:
        if self.analysis.lang == "ko":
            morphemes.load()

    def versions(self) -> dict[str, str]:
        return versions("ko") if self.analysis.lang == "ko" else content_words.versions()

    def _know(self, targets: tuple[str, ...]) -> Original:
        return Original(self.analysis(targets[0]))

    def _score(self, known: Original, paraphrase: str) -> Score:
        if not known.units:
            return Score.undefined("The original has no meaningful morphemes.")
        matching = Matching(known, self.analysis(paraphrase))
        more = self._match_more(matching)
        # No lists: the garbage collector would visit thousands of them in each chunk.
        matched = list(filter(None, matching.matches))
        detail = {"matched": matched, "unmatched": matching.left(0), "new": matching.left(1)}
        return Score(len(matched) / len(known.units), detail=detail | more)

    def _match_more(self, matching: Matching) -> dict[str, Any]:
        """Match what is not identical; returns what else there is to tell."""
        return {}

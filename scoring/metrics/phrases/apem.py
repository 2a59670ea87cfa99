"""APEM (Moon, Gweon, Choi and Heo 2015): the share of the original's meaningful morphemes that
recur."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from paraanno.plain.sentence import say
from scoring.metrics.base import AGAINST_ORIGINAL, Metric, Option, Score
from scoring.metrics.languages import lang_option
from scoring.metrics.phrases.matching import Matching, Original
from scoring.metrics.texts import content_words, morphemes, versions
from scoring.metrics.texts.morphemes import AUXILIARIES, SEGMENTATION
from scoring.metrics.texts.ngrams import ngrams

LANGUAGES = ("ko", "en")
LANG = lang_option(
    *LANGUAGES,
    summary=say(
        "The language of the texts: ko uses morphemes by Kiwi, en lemmas of content words; texts "
        "takes the language given for each text. Texts in another language have no score; those "
        "without one are taken to be in the language named here."
    ),
)
NO_MORPHEMES = say("The original has no meaningful morphemes.")
APEM_OPTIONS: tuple[Option, ...] = (AGAINST_ORIGINAL, LANG, SEGMENTATION, AUXILIARIES)
NO_ORDER = say("The original has fewer meaningful morphemes than are one unit.")
ORDER = Option(
    "order",
    "1",
    say("How many meaningful morphemes in a row are one unit: 1, 2 or 3."),
    ("1", "2", "3"),
)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The settings for splitting texts into units of meaning."""

    lang: str
    segmentation: str
    auxiliaries: str
    order: int = 1

    def __call__(self, text: str) -> tuple[str, ...]:
        found = self._morphemes(text)
        if self.order == 1:
            return found
        return tuple(" ".join(gram) for gram in ngrams(found, self.order))

    def _morphemes(self, text: str) -> tuple[str, ...]:
        if self.lang == "en":
            return content_words.content_words(text)
        return morphemes.meaningful(
            text, segmentation=self.segmentation, auxiliaries=self.auxiliaries
        )


class Apem(Metric[Original]):
    """APEM = matched morphemes / meaningful morphemes of the original.

    All morphemes except endings, particles and punctuation are meaningful. Each is matched once.
    Not symmetric: additions in a paraphrase cost nothing.
    """

    name = "apem"
    title = "APEM"
    summary = say(
        "0 to 1: the share of the original's meaningful morphemes that are also in the paraphrase."
    )
    family = "morphemes"
    languages = LANGUAGES
    keeps_detail = True
    longest = 20_000  # The analyser takes up to a second for it.
    OPTIONS = (*APEM_OPTIONS, ORDER)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.analysis = Analysis(
            self.options["lang"], self.options["segmentation"], self.options["auxiliaries"],
            int(self.options.get("order", "1")),
        )  # fmt: skip

    def load(self) -> None:
        if self.analysis.lang == "ko":
            morphemes.load()

    def versions(self) -> dict[str, str]:
        return versions("ko") if self.analysis.lang == "ko" else content_words.versions()

    def _know(self, targets: tuple[str, ...]) -> Original:
        return Original(self.analysis(targets[0]))

    def _score(self, known: Original, paraphrase: str) -> Score:
        if not known.units:
            return Score.undefined(NO_MORPHEMES if self.analysis.order == 1 else NO_ORDER)
        matching = Matching(known, self.analysis(paraphrase))
        more = self._match_more(matching)
        # Tuples, because the garbage collector would visit thousands of lists in each chunk.
        matched = list(filter(None, matching.matches))
        detail = {"matched": matched, "unmatched": matching.left(0), "new": matching.left(1)}
        return Score(len(matched) / len(known.units), detail=detail | more)

    def _match_more(self, matching: Matching) -> dict[str, object]:
        """Match units that are not identical; return further details."""
        return {}

"""APEM (Moon, Gweon, Choi and Heo 2015): the share of the original's meaningful morphemes that
recur."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from paraanno.common.texts import say
from scoring.metrics.base import Metric
from scoring.metrics.files import FileRefused
from scoring.metrics.languages import lang_option
from scoring.metrics.phrases.matching import Matching, Original, Phrase
from scoring.metrics.resources.synonyms import SYNONYMS, Synonyms, load_synonyms, synonyms_sha256
from scoring.metrics.texts import content_words, morphemes, versions
from scoring.metrics.texts.morphemes import AUXILIARIES, SEGMENTATION
from scoring.metrics.texts.words import ngrams
from scoring.metrics.values import AGAINST_ORIGINAL, Option, Score

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
        units = self._morphemes(text)
        if self.order == 1:
            return units
        return tuple(" ".join(gram) for gram in ngrams(units, self.order))

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
            self.options["lang"],
            self.options["segmentation"],
            self.options["auxiliaries"],
            int(self.options.get("order", "1")),
        )

    def load(self) -> None:
        if self.analysis.lang == "ko":
            morphemes.load()

    def versions(self) -> dict[str, str]:
        return versions("ko") if self.analysis.lang == "ko" else content_words.versions()

    def _know(self, targets: tuple[str, ...]) -> Original:
        return Original(self.analysis(targets[0]))

    def _score(self, target: Original, paraphrase: str) -> Score:
        if not target.units:
            return Score.undefined(NO_MORPHEMES if self.analysis.order == 1 else NO_ORDER)
        matching = Matching(target, self.analysis(paraphrase))
        more = self._match_more(matching)
        # Tuples, because the garbage collector would visit thousands of lists in each chunk.
        matched = list(filter(None, matching.matches))
        detail = {"matched": matched, "unmatched": matching.left(0), "new": matching.left(1)}
        return Score(len(matched) / len(target.units), detail=detail | more)

    def _match_more(self, matching: Matching) -> dict[str, object]:
        """Match units that are not identical; return further details."""
        return {}


# APEM with a dictionary of synonyms (Moon, Gweon, Choi and Heo 2015).


APEM_SD_OPTIONS: tuple[Option, ...] = (*APEM_OPTIONS, SYNONYMS)


@dataclass(frozen=True, slots=True, eq=False)
class SynonymGroups:
    """The groups of each phrase, analysed like texts, and the length of the longest."""

    groups: dict[Phrase, tuple[int, ...]]
    longest: int


@lru_cache(maxsize=2)
def synonym_groups(synonyms: Synonyms, analysis: Analysis) -> SynonymGroups:
    """Analyse every phrase; one without a unit of meaning is in no group."""
    memberships: dict[Phrase, dict[int, None]] = {}
    for group, phrases in enumerate(synonyms.groups):
        for phrase in phrases:
            if units := analysis(phrase):
                memberships.setdefault(units, {})[group] = None
    groups = {units: tuple(within) for units, within in memberships.items()}
    return SynonymGroups(groups, max(map(len, groups), default=0))


class ApemSd(Apem):
    """Match identical morphemes first, then as many single synonyms as possible, then phrases of
    several morphemes; each match counts once.
    """

    name = "apem_sd"
    title = "APEM_SD"
    summary = say(
        "0 to 1: as APEM, with synonyms matched too. Synonyms from the file match regardless "
        "of their sense in the sentence."
    )
    OPTIONS = APEM_SD_OPTIONS

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._groups: SynonymGroups | None = None

    @property
    def groups(self) -> SynonymGroups:
        """The synonyms, loaded and analysed lazily."""
        if self._groups is None:
            path = self.options["synonyms"]
            self._groups = synonym_groups(load_synonyms(path), self.analysis)
            if not self._groups.groups:
                raise FileRefused.at(path, 0, say("has no content word; check lang=."))
        return self._groups

    def load(self) -> None:
        super().load()
        self.groups  # noqa: B018 - reads them

    def resources(self) -> dict[str, str]:
        return {"synonyms": synonyms_sha256(self.options["synonyms"])}

    def _match_more(self, matching: Matching) -> dict[str, object]:
        matching.match_synonyms(self.groups.groups, _always)
        matching.match_phrases(self.groups.groups, self.groups.longest, _always)
        return {}


def _always(one: Phrase, other: Phrase) -> bool:
    return True

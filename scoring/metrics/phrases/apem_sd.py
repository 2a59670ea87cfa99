"""APEM with a dictionary of synonyms (Moon, Gweon, Choi and Heo 2015)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from paraanno.plain.sentence import say
from scoring.metrics.base import Option
from scoring.metrics.files import FileRefused
from scoring.metrics.phrases.apem import APEM_OPTIONS, Analysis, Apem
from scoring.metrics.phrases.matching import Matching, Phrase
from scoring.metrics.resources.synonyms import SYNONYMS, Synonyms, load_synonyms, synonyms_sha256

APEM_SD_OPTIONS: tuple[Option, ...] = (*APEM_OPTIONS, SYNONYMS)


@dataclass(frozen=True, slots=True, eq=False)
class SynonymGroups:
    """The groups of each phrase, analysed like texts, and the length of the longest."""

    groups: dict[Phrase, tuple[int, ...]]
    longest: int


@lru_cache(maxsize=2)
def synonym_groups(synonyms: Synonyms, analysis: Analysis) -> SynonymGroups:
    """Analyse every phrase; one without a unit of meaning is in no group."""
    found: dict[Phrase, dict[int, None]] = {}
    for group, phrases in enumerate(synonyms.groups):
        for phrase in phrases:
            if units := analysis(phrase):
                found.setdefault(units, {})[group] = None
    groups = {units: tuple(within) for units, within in found.items()}
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

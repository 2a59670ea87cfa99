"""APEM with synonyms that a distance confirms (Moon, Gweon, Choi and Heo 2015)."""

from __future__ import annotations

from typing import Any

from paraanno.common.texts import say
from scoring.metrics.base import DecimalOption
from scoring.metrics.phrases.apem import APEM_SD_OPTIONS, ApemSd
from scoring.metrics.phrases.google_distance import (
    COUNTS,
    CorpusCounts,
    CountTable,
    google_distance,
    load_page_counts,
    page_counts_sha256,
)
from scoring.metrics.phrases.matching import Matching, Phrase
from scoring.metrics.values import Option

THRESHOLD = DecimalOption(
    "threshold",
    "0.35",
    say("The distance at which synonyms are kept, as in keep_if."),
    low=0,
    high=10,
)
KEEP_IF = Option(
    "keep_if",
    "score_at_least",
    say(
        "score_at_least keeps synonyms whose distance is the threshold or more, as in the "
        "paper; distance_at_most keeps those whose distance is the threshold or less, as one "
        "would expect of a distance."
    ),
    ("score_at_least", "distance_at_most"),
)


class ApemSdgd(ApemSd):
    """The distance comes from page counts. Two words without a shared page have no distance, and
    are not matched.
    """

    name = "apem_sdgd"
    title = "APEM_SDGD"
    summary = say(
        "0 to 1: as APEM_SD, but of the synonyms only those that pass a threshold of the "
        "normalised Google distance."
    )
    OPTIONS = (*APEM_SD_OPTIONS, COUNTS, THRESHOLD, KEEP_IF)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._counts: CountTable | CorpusCounts | None = None
        self._distances: dict[tuple[Phrase, Phrase], float | None] = {}
        self._threshold = float(self.options["threshold"])
        self._at_least = self.options["keep_if"] == "score_at_least"

    @property
    def counts(self) -> CountTable | CorpusCounts:
        """The page counts, loaded lazily."""
        if self._counts is None:
            self._counts = load_page_counts(self.options["counts"]).cut(self.analysis)
        return self._counts

    def load(self) -> None:
        super().load()
        self.counts  # noqa: B018 - reads them

    def resources(self) -> dict[str, str]:
        return {**super().resources(), "counts": page_counts_sha256(self.options["counts"])}

    def distance(self, one: Phrase, other: Phrase) -> float | None:
        """The distance between two, cached."""
        if (one, other) not in self._distances:
            self._distances[one, other] = google_distance(self.counts, one, other)
        return self._distances[one, other]

    def _match_more(self, matching: Matching) -> dict[str, object]:
        rejected: dict[tuple[Phrase, Phrase], float | None] = {}

        def keep(one: Phrase, other: Phrase) -> bool:
            distance = self.distance(one, other)
            if distance is not None and (
                distance >= self._threshold if self._at_least else distance <= self._threshold
            ):
                return True
            rejected[one, other] = distance
            return False

        groups = self.groups
        matching.match_synonyms(groups.groups, keep)
        matching.match_phrases(groups.groups, groups.longest, keep)
        return {
            "rejected": [
                [" ".join(one), " ".join(other), distance]
                for (one, other), distance in rejected.items()
            ]
        }

"""Fingerprint of the data behind a report, from a few index look-ups."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery, Sum

from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    Expected,
    ImportBatch,
    ImportedGold,
    Judgment,
    Output,
    QualityPlan,
    Scale,
    Slot,
    Substitution,
    ThresholdChange,
)
from annotation.selectors.row_count import RowCount, row_counts
from scoring.models import Run

# Kinds of reports that read no scores of metrics.
OF_PEOPLE = frozenset(
    {"agreement", "influence", "results", "results-gold", "gold", "gold-values", "annotators"}
)
# Increase it when the contents of reports change, so that stored ones are recomputed.
MADE_WITH = "5"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """`text` changes whenever data behind a statistic change."""

    text: str
    judgments: int

    def beside(self, other: Fingerprint) -> Fingerprint:
        """The fingerprint of a report that also depends on another campaign."""
        both = hashlib.sha256(f"{self.text} {other.text}".encode()).hexdigest()
        return Fingerprint(both, self.judgments)


def fingerprint(*, campaign: Campaign, kind: str = "") -> Fingerprint:
    """At most fourteen queries that read indexes, not judgments.

    Every save changes the time of its annotator's newest judgment; submissions, exclusions and
    imports change the numbers of judgments and slots by state. That of a `kind` OF_PEOPLE has
    no runs in it: a report that reads no scores is not made again when a metric ends.
    """
    counts = _judged(campaign, *Judgment.Status.values)
    parts: list[Any] = [
        MADE_WITH,
        counts,
        _voices(campaign),
        _of_campaign(campaign),
        list(Scale.objects.filter(campaign=campaign).order_by("pk").values_list("pk", "name")),
        _systems(campaign),
        _newest(ThresholdChange.objects.filter(scale__campaign=campaign)),
        _newest(ImportedGold.objects.filter(campaign=campaign)),
        _newest(ImportBatch.objects.filter(campaign=campaign)),
        # By its scale: there are fewer scales than texts.
        Expected.objects.filter(scale__campaign=campaign).aggregate(
            Max("pk"), Count("pk"), Sum("low"), Sum("high")
        ),
        list(QualityPlan.objects.filter(campaign=campaign).values_list("fast_seconds")),
        _excluded(campaign),
    ]
    if kind not in OF_PEOPLE:
        parts += _runs(campaign)
    return Fingerprint(_digest(parts), sum(row[2] for row in counts))


def _runs(campaign: Campaign) -> list[Any]:
    done = campaign.runs.filter(status=Run.Status.DONE)
    changes = Campaign.objects.filter(pk=campaign.pk).values("language_changes")
    old = done.exclude(Q(language_changes=None) | Q(language_changes=Subquery(changes)))
    return [
        done.aggregate(Count("pk"), Max("pk"), Max("finished_at")),
        # Only where there are some: stored reports of other campaigns stay the newest.
        *(["old language", pk] for pk in old.order_by("pk").values_list("pk", flat=True)),
    ]


def judgments_state(*, campaign: Campaign) -> str:
    """A hash that changes with what comparisons are made from: judgments that count, exclusions,
    imported gold and thresholds. Runs, names, open sheets and the version of the program are no new
    judgments. Five queries."""
    counted = Judgment.objects.filter(status=Judgment.Status.COUNTED)
    parts: list[Any] = [
        [(scale, n) for scale, _, n in _judged(campaign, Judgment.Status.COUNTED)],
        list(_newest_of(campaign, counted).values_list("pk", "newest")),
        _newest(ThresholdChange.objects.filter(scale__campaign=campaign)),
        _newest(ImportedGold.objects.filter(campaign=campaign)),
        _excluded(campaign),
    ]
    return _digest(parts)


def _digest(parts: list[Any]) -> str:
    return hashlib.sha256(json.dumps(parts, default=str, sort_keys=True).encode()).hexdigest()


def _judged(campaign: Campaign, *statuses: str) -> list[tuple[int, str, int]]:
    """The numbers of judgments by scale and status, without those of which there is none."""
    given = Judgment.objects.filter(campaign=campaign, scale=OuterRef("pk")).order_by()
    rows = Scale.objects.filter(campaign=campaign).order_by("pk")
    numbers = row_counts(given, "status", sorted(statuses))
    return [
        (scale, status, n)
        for scale, *found in rows.annotate(**numbers).values_list("pk", *numbers)
        for status, n in zip(numbers, found, strict=True)
        if n
    ]


def _of_campaign(campaign: Campaign) -> dict[str, int]:
    """The numbers of slots by state, and of texts: these leave only with their import, which is
    counted too, so that equal numbers are the same texts."""
    slots = Slot.objects.filter(campaign=campaign).order_by()
    numbers = row_counts(slots, "state", Slot.State.values)
    numbers["texts"] = RowCount(Substitution.objects.filter(campaign=campaign).order_by())
    rows = Campaign.objects.annotate(**numbers).values(*numbers)
    return dict(rows.get(pk=campaign.pk))


def _systems(campaign: Campaign) -> list[tuple[int, str, int]]:
    """The systems with the numbers of their outputs, which leave like texts."""
    outputs = RowCount(Output.objects.filter(system=OuterRef("pk")).order_by())
    rows = campaign.systems.order_by("pk").annotate(n=outputs)
    return list(rows.values_list("pk", "label", "n"))


def _excluded(campaign: Campaign) -> dict[str, Any]:
    return Exclusion.objects.filter(campaign=campaign).aggregate(
        Count("pk"), Max("pk"), Max("ends_at"), Count("ends_at")
    )


def _newest_of(campaign: Campaign, judgments: QuerySet[Judgment]) -> QuerySet[Any]:
    """The annotators, with the time of the newest of these judgments."""
    newest = judgments.filter(annotator=OuterRef("pk")).order_by("-recorded_at")
    return (
        Annotator.objects.filter(campaign=campaign)
        .order_by("pk")
        .annotate(newest=Subquery(newest.values("recorded_at")[:1]))
    )


def _voices(campaign: Campaign) -> list[Any]:
    return list(
        _newest_of(campaign, Judgment.objects.all()).values_list(
            "pk", "code", "origin", "not_blind_since", "newest"
        )
    )


def _newest(rows: QuerySet[Any]) -> dict[str, int | None]:
    return rows.order_by().aggregate(Max("pk"), Count("pk"))

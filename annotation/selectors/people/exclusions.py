"""Exclusions from the statistics, past and present."""

from __future__ import annotations

from django.db.models import Prefetch, QuerySet

from annotation.models import Annotator, Campaign, Exclusion
from annotation.models.people.exclusion import TARGETS


def exclusions_of(*, campaign: Campaign) -> QuerySet[Exclusion]:
    """Return all exclusions of a campaign, newest first, with their targets; one query."""
    return Exclusion.objects.filter(campaign=campaign).select_related(
        *TARGETS, "created_by", "lifted_by"
    )


def exclusions_of_annotators(*, campaign: Campaign) -> QuerySet[Exclusion]:
    """Return the exclusions of annotators; one query."""
    rows = Exclusion.objects.filter(campaign=campaign, annotator__isnull=False)
    return rows.select_related("annotator", "created_by", "lifted_by")


def excluded(annotators: QuerySet[Annotator]) -> QuerySet[Annotator]:
    """Prefetch `in_force`, the exclusions in force, in one more query."""
    in_force = Exclusion.objects.filter(ends_at=None)
    return annotators.prefetch_related(Prefetch("exclusions", in_force, "in_force"))


def is_excluded(*, annotator: Annotator) -> bool:
    """Whether an exclusion of the annotator is in force; one query."""
    return Exclusion.objects.filter(annotator=annotator, ends_at=None).exists()

"""Progress of a campaign and of its annotators; each count is one query."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import Annotator, Campaign, Judgment, Sheet, Skip, Slot

FREE, CLAIMED, DONE = Slot.State.FREE, Slot.State.CLAIMED, Slot.State.DONE


@dataclass(frozen=True, slots=True)
class CampaignProgress:
    """Slots by state and sheets by completeness; void slots do not count."""

    slots: int
    done: int
    claimed: int
    sheets: int
    sheets_complete: int

    @property
    def share(self) -> float:
        """The share of slots that are done, from 0 to 1."""
        return self.done / self.slots if self.slots else 0.0


def campaign_progress(*, campaign: Campaign) -> CampaignProgress:
    """Return the progress; two queries."""
    states = dict(
        Slot.objects.filter(campaign=campaign, state__in=[FREE, CLAIMED, DONE])
        .order_by()
        .values_list("state")
        .annotate(Count("pk"))
    )
    open_sheets = Slot.objects.filter(campaign=campaign, state__in=[FREE, CLAIMED])
    sheets = Sheet.objects.filter(campaign=campaign).count()
    unfinished = open_sheets.order_by().values("sheet").distinct().count()
    return CampaignProgress(
        slots=sum(states.values()),
        done=states.get(DONE, 0),
        claimed=states.get(CLAIMED, 0),
        sheets=sheets,
        sheets_complete=sheets - unfinished,
    )


@dataclass(frozen=True, slots=True)
class OwnProgress:
    """What an annotator has done and has left."""

    done: int
    open: int
    left: int

    @property
    def total(self) -> int:
        return self.done + self.open + self.left


def own_progress(*, campaign: Campaign, annotator: Annotator | None) -> OwnProgress:
    """Count sheets done, sheets open, and sheets with a slot that this annotator could still take.

    Hidden repeats count like any other sheet. `annotator` is None for a user who has not started.
    Three queries, whose cost grows with the number of free slots in the campaign.
    """
    mine = Slot.objects.filter(annotator=annotator) if annotator else Slot.objects.none()
    skipped = Skip.objects.filter(annotator=annotator) if annotator else Skip.objects.none()
    states = dict(mine.order_by().values_list("state").annotate(Count("pk")))
    general = (
        Slot.objects.filter(campaign=campaign, state=FREE)
        .exclude(Q(sheet__in=mine.values("sheet")) | Q(sheet__in=skipped.values("sheet")))
        .order_by()
        .values("sheet")
        .distinct()
        .count()
    )
    waiting = (
        Sheet.objects.filter(campaign=campaign)
        .filter(Q(shared=True) | (Q(for_annotator=annotator) if annotator else Q(pk__in=[])))
        .exclude(pk__in=mine.values("sheet"))
        .count()
    )
    return OwnProgress(states.get(DONE, 0), states.get(CLAIMED, 0), general + waiting)


def annotators_with_progress(*, campaign: Campaign) -> QuerySet[Annotator]:
    """Return the campaign's annotators with `sheets_done`, `judgments_counted` and `last_at`; one
    query each.
    """
    counted = (
        Judgment.objects.filter(campaign=campaign, status=Judgment.Status.COUNTED)
        .order_by()
        .values("annotator")
    )
    done = Slot.objects.filter(campaign=campaign, state=DONE).order_by().values("annotator")
    of_this = {"annotator": OuterRef("pk")}
    return Annotator.objects.filter(campaign=campaign).annotate(
        sheets_done=Coalesce(
            Subquery(done.filter(**of_this).annotate(n=Count("pk")).values("n")), 0
        ),
        judgments_counted=Coalesce(
            Subquery(counted.filter(**of_this).annotate(n=Count("pk")).values("n")), 0
        ),
        last_at=Subquery(counted.filter(**of_this).annotate(n=Max("recorded_at")).values("n")),
    )

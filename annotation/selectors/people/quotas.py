"""Groups of annotators, and how their work compares with the numbers required."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import Annotator, Campaign, Slot, WorkGroup, WorkRule
from annotation.selectors.campaigns.progress import annotators_with_progress
from annotation.selectors.people.consent import PEOPLE


@dataclass(frozen=True, slots=True)
class WorkLine:
    """An annotator's sheets, and the bounds that hold for them."""

    annotator: Annotator
    done: int
    least: int | None
    most: int | None

    @property
    def lacks(self) -> int:
        """How many sheets lack to the least number."""
        return max(0, (self.least or 0) - self.done)


def work_rule_of(*, campaign: Campaign) -> WorkRule:
    """Return the campaign's rule; an unsaved one that bounds nothing if there is none."""
    return WorkRule.objects.filter(campaign=campaign).first() or WorkRule(campaign=campaign)


def work_groups(*, campaign: Campaign) -> QuerySet[WorkGroup]:
    """Return the groups with their number of `people` and of sheets that these have `done`; one
    query."""
    done = Slot.objects.filter(annotator__group=OuterRef("pk"), state=Slot.State.DONE)
    counted = done.order_by().values("annotator__group").annotate(n=Count("pk")).values("n")
    return (
        WorkGroup.objects.filter(campaign=campaign)
        .annotate(people=Count("annotators"), done=Coalesce(Subquery(counted), 0))
        .order_by("name")
    )


def work_group_with_people(*, group: WorkGroup) -> WorkGroup:
    """Return the group as `work_groups` does."""
    return work_groups(campaign=group.campaign).get(pk=group.pk)


def work_lines(*, campaign: Campaign) -> list[WorkLine]:
    """Return the people who annotate, by code, with their bounds; two queries.

    The bound by the largest share of the sheets is not among them: it is the same for everybody.
    """
    rule = work_rule_of(campaign=campaign)
    rows = annotators_with_progress(campaign=campaign).filter(origin__in=PEOPLE)
    lines = []
    for one in rows.select_related("group").order_by("code"):
        group = one.group
        least = group.sheets_at_least if group is not None else None
        most = group.sheets_at_most if group is not None else None
        lines.append(
            WorkLine(
                one, int(getattr(one, "sheets_done", 0)),
                rule.sheets_at_least if least is None else least,
                next((n for n in (one.sheets_at_most, most, rule.sheets_at_most)
                      if n is not None), None),
            )
        )  # fmt: skip
    return lines

"""How much one annotator judges: numbers for the campaign and for groups, and who is below them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db import IntegrityError
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from annotation.database import Actor, audit, short_write
from annotation.errors import Invalid
from annotation.models import Annotator, Campaign, Slot, WorkGroup, WorkRule
from annotation.people.annotators import PEOPLE
from annotation.sheets.progress import with_progress

# Groups of annotators, and how their work compares with the numbers required.


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
    counted = done.order_by().values("annotator__group").annotate(n=Count("*")).values("n")
    return (
        WorkGroup.objects.filter(campaign=campaign)
        .annotate(people=Count("annotators"), done=Coalesce(Subquery(counted), 0))
        .order_by("name")
    )


def work_group_with_people(*, group: WorkGroup) -> WorkGroup:
    """Return the group as `work_groups` does."""
    return work_groups(campaign=group.campaign).get(pk=group.pk)


def work_lines(*, campaign: Campaign) -> list[WorkLine]:
    """Return the people who annotate, by code, with their bounds; four queries.

    The bound by the largest share of the sheets is not among them: it is the same for everybody.
    """
    rule = work_rule_of(campaign=campaign)
    people = Annotator.objects.filter(campaign=campaign, origin__in=PEOPLE)
    lines = []
    for one in with_progress(people.select_related("group").order_by("code")):
        group = one.group
        least = group.sheets_at_least if group is not None else None
        most = group.sheets_at_most if group is not None else None
        lines.append(
            WorkLine(
                one,
                one.sheets_done,
                rule.sheets_at_least if least is None else least,
                next(
                    (n for n in (one.sheets_at_most, most, rule.sheets_at_most) if n is not None),
                    None,
                ),
            )
        )
    return lines


# How much one annotator judges, for the campaign and for groups of annotators.


MOST = 1_000_000


def work_rule_set(
    *,
    campaign: Campaign,
    sheets_at_least: int | None,
    sheets_at_most: int | None,
    largest_share: float | None,
    actor: Actor,
) -> WorkRule:
    """Set how many sheets one annotator judges, where group and panel say nothing else.

    `largest_share` bounds everybody: the share of the sheets that one annotator may judge. What is
    open or done already stays. Raises Invalid.
    """
    _check(sheets_at_least, sheets_at_most)
    if largest_share is not None and not 0 < largest_share <= 1:
        raise Invalid(_("A share is above 0 and at most 1."))
    given = {
        "sheets_at_least": sheets_at_least,
        "sheets_at_most": sheets_at_most,
        "largest_share": largest_share,
    }
    with short_write():
        rule, _new = WorkRule.objects.update_or_create(campaign=campaign, defaults=given)
        audit(actor=actor, verb="set quotas", about=campaign, campaign=campaign, **given)
    return rule


def pay_floor_set(
    *, campaign: Campaign, pay_floor: Decimal | None, currency: str, actor: Actor
) -> WorkRule:
    """Set the minimum pay per hour, and its currency, for panels that name none. Raises Invalid."""
    currency = currency.strip()
    if len(currency) > 12 or not currency.isprintable():
        raise Invalid(_("A currency is a word of at most 12 characters."))
    if pay_floor is not None and not 0 <= pay_floor < 1_000_000:
        raise Invalid(_("An amount from 0."))
    given = {"pay_floor": pay_floor, "currency": currency}
    with short_write():
        rule, _new = WorkRule.objects.update_or_create(campaign=campaign, defaults=given)
        audit(
            actor=actor,
            verb="set pay floor",
            about=campaign,
            campaign=campaign,
            pay_floor="" if pay_floor is None else str(pay_floor),
            currency=currency,
        )
    return rule


def work_group_set(
    *,
    campaign: Campaign,
    name: str,
    sheets_at_least: int | None,
    sheets_at_most: int | None,
    actor: Actor,
    total_at_least: int | None = None,
    total_at_most: int | None = None,
) -> WorkGroup:
    """Make the group with this name, or change its numbers of sheets, per person and in total.

    Once the group has as many sheets as `total_at_most`, open ones too, nobody in it gets another.
    Raises Invalid.
    """
    name = name.strip()
    if not name or len(name) > 60 or not name.isprintable():
        raise Invalid(_("A group has a name of at most 60 characters."))
    _check(sheets_at_least, sheets_at_most)
    _check(total_at_least, total_at_most)
    given = {
        "sheets_at_least": sheets_at_least,
        "sheets_at_most": sheets_at_most,
        "total_at_least": total_at_least,
        "total_at_most": total_at_most,
    }
    with short_write():
        group, _new = WorkGroup.objects.update_or_create(
            campaign=campaign, name=name, defaults=given
        )
        audit(actor=actor, verb="set group", about=group, campaign=campaign, name=name, **given)
    return group


def work_groups_named(*, campaign: Campaign, names: set[str]) -> dict[str, WorkGroup]:
    """Return the groups with these names; those that are missing are made, without numbers."""
    made: dict[str, WorkGroup] = {}
    for name in sorted(names):
        try:
            with short_write():
                made[name], _new = WorkGroup.objects.get_or_create(campaign=campaign, name=name)
        except IntegrityError:  # Somebody else made it just now.
            made[name] = WorkGroup.objects.get(campaign=campaign, name=name)
    return made


def group_join(*, annotator: Annotator, group: WorkGroup | None, actor: Actor) -> None:
    """Put the annotator into a group of their campaign, or into none."""
    if group is not None and group.campaign_id != annotator.campaign_id:
        raise Invalid(_("There is no such group."))
    with short_write():
        Annotator.objects.filter(pk=annotator.pk).update(group=group)
        audit(
            actor=actor,
            verb="set group of annotator",
            about=annotator,
            campaign=annotator.campaign,
            group=group.name if group else "",
        )


def _check(least: int | None, most: int | None) -> None:
    for one in (least, most):
        if one is not None and not 0 <= one <= MOST:
            raise Invalid(_("A number of sheets is from 0 to %(most)s.") % {"most": f"{MOST:,}"})
    if least is not None and most is not None and least > most:
        raise Invalid(_("“At least” must not be more than “At most”."))

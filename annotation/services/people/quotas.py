"""How much one annotator judges, for the campaign and for groups of annotators."""

from __future__ import annotations

from decimal import Decimal

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Annotator, Campaign, WorkGroup, WorkRule
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write

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
        "sheets_at_least": sheets_at_least, "sheets_at_most": sheets_at_most,
        "largest_share": largest_share,
    }  # fmt: skip
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
            actor=actor, verb="set pay floor", about=campaign, campaign=campaign,
            pay_floor="" if pay_floor is None else str(pay_floor), currency=currency,
        )  # fmt: skip
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
        "sheets_at_least": sheets_at_least, "sheets_at_most": sheets_at_most,
        "total_at_least": total_at_least, "total_at_most": total_at_most,
    }  # fmt: skip
    with short_write():
        group, _new = WorkGroup.objects.update_or_create(
            campaign=campaign, name=name, defaults=given
        )
        audit(
            actor=actor, verb="set group", about=group, campaign=campaign, name=name, **given
        )  # fmt: skip
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
            actor=actor, verb="set group of annotator", about=annotator,
            campaign=annotator.campaign, group=group.name if group else "",
        )  # fmt: skip


def _check(least: int | None, most: int | None) -> None:
    for one in (least, most):
        if one is not None and not 0 <= one <= MOST:
            raise Invalid(_("A number of sheets is from 0 to %(most)s.") % {"most": f"{MOST:,}"})
    if least is not None and most is not None and least > most:
        raise Invalid(_("“At least” must not be more than “At most”."))

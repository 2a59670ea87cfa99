"""Pilots: real people try out a campaign on a few of its texts.

A pilot is a campaign of its own, copied from the one that it tries out. So its judgments are marked
by where they are, its questions may still be changed in the other, and none of it reaches the
other's gold, agreement or results unless somebody exports and imports it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from secrets import SystemRandom

from django.db.models import Q
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, Membership, Substitution
from annotation.selectors.campaigns.template import template_of
from annotation.services.audit import Actor, audit
from annotation.services.campaigns.campaigns import campaign_close, campaign_create, campaign_open
from annotation.services.campaigns.copying import TextRows, members_copy, without_practice
from annotation.services.transactions import short_write

MOST_TEXTS, MOST_PILOTS = 100, 50
STAFF = (Membership.Role.OWNER, Membership.Role.RESEARCHER, Membership.Role.VIEWER)
_random = SystemRandom()


def pilot_start(
    *, campaign: Campaign, texts: int, people: Collection[int], actor: Actor
) -> Campaign:
    """Open a pilot of the campaign on some of its originals, drawn at random.

    people   ids of members who judge in it; each judges every sheet. More may be invited there.

    Owners, researchers and viewers have the same role in it. Raises Invalid if there is nothing to
    judge, or the campaign is a pilot itself, and Conflict while another pilot is under way.
    """
    if campaign.pilot:
        raise Invalid(_("This is a pilot already."))
    if not 1 <= texts <= MOST_TEXTS:
        raise Invalid(_("A pilot has 1 to %(most)s originals.") % {"most": MOST_TEXTS})
    if not campaign.scales.exists():
        raise Invalid(_("The campaign asks nothing yet: add a scale first."))
    outputs = campaign.substitutions.filter(role=Substitution.Role.OUTPUT).order_by()
    items = list(outputs.values_list("item", flat=True).distinct())
    if not items:
        raise Invalid(_("The campaign has no paraphrases yet: import items first."))
    rows = TextRows.of_items(campaign, _random.sample(items, min(texts, len(items))))
    design = template_of(campaign=campaign)
    name = _("Pilot: %(name)s") % {"name": campaign.name}
    settings = {
        **design.settings, "name": name[:200], "annotators_per_sheet": max(1, len(people)),
        "shared_share": 0.0,
    }  # fmt: skip
    with short_write():
        campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        before = campaign.copies.filter(pilot=True)
        if before.exclude(status=Campaign.Status.CLOSED).exists():
            raise Conflict(_("Another pilot is under way: end it first."))
        if before.count() >= MOST_PILOTS:
            raise Invalid(_("There were %(most)s pilots already.") % {"most": MOST_PILOTS})
        pilot = campaign_create(
            actor=None, slug=_free_slug(campaign), copied_from=campaign, pilot=True,
            template=without_practice(replace(design, settings=settings, panel=None)),
        )  # fmt: skip
        rows.write(pilot)
        come = campaign.memberships.filter(Q(role__in=STAFF) | Q(user__in=people))
        members_copy(source=campaign, copy=pilot, members=come)
        pilot = campaign_open(campaign=pilot, actor=actor)
        for about in (campaign, pilot):
            audit(
                actor=actor, verb="start pilot", about=about, campaign=about, pilot=pilot.slug,
                texts=len(rows.items), people=len(people),
            )  # fmt: skip
    return pilot


def pilot_end(*, pilot: Campaign, actor: Actor) -> Campaign:
    """Close the pilot: it leaves the lists of everybody, and its annotators are no members any
    more. Its judgments and their history are kept where they are.
    """
    if not pilot.pilot:
        raise Invalid(_("This is no pilot."))
    with short_write():
        pilot = campaign_close(campaign=pilot, actor=actor)
        mine = Membership.objects.filter(campaign=pilot, role=Membership.Role.ANNOTATOR)
        gone, _models = mine.delete()
        pilot.invitations.filter(revoked_at=None).update(revoked_at=pilot.closed_at)
        for about in (pilot, pilot.copied_from):
            if about is not None:
                audit(
                    actor=actor, verb="end pilot", about=about, campaign=about, pilot=pilot.slug,
                    annotators=gone,
                )  # fmt: skip
    return pilot


def _free_slug(campaign: Campaign) -> str:
    """`camp-pilot`, or the next with a number."""
    base = f"{campaign.slug[:48]}-pilot"
    taken = set(Campaign.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(
        slug
        for number in range(1, len(taken) + 2)
        if (slug := base if number == 1 else f"{base}-{number}") not in taken
    )

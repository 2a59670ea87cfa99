"""Archived campaigns: out of the lists, read-only, and back."""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Campaign
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from paraanno import clock

COLLECTING = (Campaign.Status.OPEN, Campaign.Status.PAUSED)


def campaign_put_away(*, campaign: Campaign, actor: Actor) -> Campaign:
    """Take the campaign out of the lists; nothing of it can be changed. Raises Invalid while it
    collects judgments. Repeatable."""
    with short_write():
        campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if campaign.status in COLLECTING:
            raise Invalid(_("The campaign still collects judgments: close it first."))
        if campaign.archived_at is None:
            campaign.archived_at = clock.now()
            campaign.save(update_fields=["archived_at"])
            audit(actor=actor, verb="put away", about=campaign, campaign=campaign)
    return campaign


def campaign_bring_back(*, campaign: Campaign, actor: Actor) -> Campaign:
    """Undo `campaign_put_away`. Repeatable."""
    with short_write():
        campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if campaign.archived_at is not None:
            campaign.archived_at = None
            campaign.save(update_fields=["archived_at"])
            audit(actor=actor, verb="bring back", about=campaign, campaign=campaign)
    return campaign

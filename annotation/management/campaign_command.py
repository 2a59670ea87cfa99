"""What commands on campaigns share."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from annotation.access import refuse_archived
from annotation.errors import NotAllowed
from annotation.models import Campaign


class CampaignCommand(BaseCommand):
    """A command without Django's checks of pages and settings: every start of the site makes them,
    and a short command would spend a third of its time on loading all pages for them."""

    requires_system_checks: list[str] = []


def campaign_or_exit(slug: str, *, writes: bool = False) -> Campaign:
    """Return the campaign with this slug; exit with code 2 if there is none, or if the command
    `writes` and the campaign is archived."""
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        raise CommandError(f"There is no campaign {slug!r}.", returncode=2)
    if writes:
        try:
            refuse_archived(campaign)
        except NotAllowed as refusal:
            raise CommandError(refusal.message, returncode=2) from refusal
    return campaign

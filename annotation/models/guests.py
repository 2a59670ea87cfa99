"""Guests: people who take part in one campaign by giving a name, without a password."""

from __future__ import annotations

import secrets

from django.db import models
from django.db.models import F, Q

from annotation.models.campaigns import Campaign
from annotation.models.fields import digest_field, public_key
from annotation.models.people import Annotator
from paraanno import clock


def guest_login() -> str:
    """Return a new name of a login that no guest ever types: see PARTICIPANT_LOGIN."""
    return f"guest-{secrets.token_hex(8)}"


class Guest(models.Model):
    """The name that an annotator gave, and the link that brings them back.

    Only the hash of the link's token is stored. A link for one person is that person's way back,
    too: its hash is then that of the invitation.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="guests")
    annotator = models.OneToOneField(Annotator, models.CASCADE, related_name="guest")
    key = public_key()
    name = models.CharField(max_length=60)
    name_key = models.CharField(max_length=240, editable=False, help_text="To compare names by.")
    token_hash = digest_field()
    renewed_at = models.DateTimeField(default=clock.now, editable=False)
    revoked_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["token_hash"], name="guest_token_once"),
            models.UniqueConstraint(
                fields=["campaign", "name_key"], name="guest_name_once_per_campaign"
            ),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True) | Q(revoked_at__gte=F("created_at")),
                name="guest_revoked_after_start",
            ),
        ]

    def __str__(self) -> str:
        return self.name

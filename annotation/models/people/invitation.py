"""Invitations to a campaign."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from annotation.models.campaigns.campaign import Campaign, Membership
from annotation.models.fields import digest_field, public_key
from annotation.models.people.quota import WorkGroup
from paraanno import clock


class Invitation(models.Model):
    """An expiring invitation link. Only the hash of its token is stored, so that a copy of the
    database grants no access.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="invitations")
    key = public_key()
    role = models.CharField(max_length=10, choices=Membership.Role)
    token_hash = digest_field()
    note = models.CharField(max_length=200, blank=True)
    email = models.EmailField(blank=True, help_text="To whom the link was sent.")
    group = models.ForeignKey(
        WorkGroup, models.SET_NULL, null=True, blank=True, related_name="invitations"
    )
    sent_at = models.DateTimeField(null=True, help_text="The last e-mail with a link.")
    reminders = models.PositiveSmallIntegerField(
        default=0, help_text="How often a worker wrote to them by itself."
    )
    reminded_at = models.DateTimeField(null=True)
    no_mail_at = models.DateTimeField(null=True, help_text="When they asked for no more e-mail.")
    max_uses = models.PositiveIntegerField(default=1)
    uses = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["token_hash"], name="invitation_token_once"),
            models.CheckConstraint(
                condition=Q(role__in=["researcher", "annotator", "viewer"]),
                name="invitation_role_known",
            ),
            models.CheckConstraint(
                condition=Q(uses__lte=F("max_uses")), name="invitation_uses_within_limit"
            ),
            models.CheckConstraint(
                condition=Q(max_uses__gte=1), name="invitation_max_uses_at_least_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.campaign}"

"""Annotators."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns.campaign import Campaign
from annotation.models.fields import public_key
from annotation.models.people.quota import WorkGroup


def random_seed() -> int:
    """Return 63 random bits, the seed of the annotator's own order of sheets and substitutions."""
    return secrets.randbits(63)


class Annotator(models.Model):
    """The author of judgments in one campaign.

    Anonymous annotators have no identity: statistics that need to know who rated what return
    "undefined: annotators are anonymous".
    """

    class Origin(models.TextChoices):
        INVITED = "invited", _("Invited")
        PARTICIPANT = "participant", _("Participant")
        IMPORTED = "imported", _("Imported")
        SIMULATED = "simulated", _("Simulated")
        ANONYMOUS = "anonymous", _("Anonymous")
        PILOT = "pilot", _("From a pilot")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="annotators")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="annotators"
    )
    key = public_key()
    code = models.CharField(max_length=60, help_text="What exports show.")
    origin = models.CharField(max_length=12, choices=Origin, default=Origin.INVITED)
    seed = models.BigIntegerField(default=random_seed, editable=False)
    not_blind_since = models.DateTimeField(
        null=True, help_text="When this annotator could first see systems and scores."
    )
    invitation = models.ForeignKey(
        "Invitation", models.SET_NULL, null=True, related_name="annotators"
    )
    sheets_at_most = models.PositiveIntegerField(
        null=True, help_text="How many sheets they may be given; empty: no own limit."
    )
    group = models.ForeignKey(
        WorkGroup, models.SET_NULL, null=True, blank=True, related_name="annotators"
    )
    ineligible_since = models.DateTimeField(
        null=True, help_text="When a background answer showed that they are not asked for."
    )
    from_pilot = models.ForeignKey(
        "self", models.SET_NULL, null=True, related_name="pilot_voices",
        help_text="Who gave the judgments in the pilot that they were taken over from.",
    )  # fmt: skip
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "code"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "code"], name="annotator_code_once_per_campaign"
            ),
            models.UniqueConstraint(
                fields=["campaign", "user"], name="annotator_user_once_per_campaign"
            ),
            models.CheckConstraint(
                condition=Q(
                    origin__in=[
                        "invited",
                        "participant",
                        "imported",
                        "simulated",
                        "anonymous",
                        "pilot",
                    ]
                ),
                name="annotator_origin_known",
            ),
            models.CheckConstraint(
                condition=Q(user__isnull=True) | Q(origin__in=["invited", "participant"]),
                name="annotator_without_login_has_no_user",
            ),
        ]

    def __str__(self) -> str:
        return self.code

"""API tokens."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns.campaign import Campaign
from annotation.models.fields import digest_field, public_key


class ApiToken(models.Model):
    """A token that lets a program act as its user, within a scope.

    Only the hash is stored, so that a copy of the database grants no access. `campaigns` are those
    that it reaches unless it reaches all of its owner's (`everywhere`); if they are deleted, it
    reaches none.
    """

    class Scope(models.TextChoices):
        """What it may do. READ and JUDGE are parts of MANAGE, which is all that its owner may do in
        campaigns; ALL has the rest of the site, too."""

        ALL = "", _("everything")
        READ = "read", _("read")
        JUDGE = "judge", _("judge")
        MANAGE = "manage", _("manage")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    key = public_key()
    token_hash = digest_field()
    label = models.CharField(max_length=60, blank=True, help_text="What it is for.")
    scope = models.CharField(max_length=10, choices=Scope.choices, blank=True, default=Scope.ALL)
    everywhere = models.BooleanField(default=True, help_text="In all campaigns of its owner.")
    campaigns = models.ManyToManyField(Campaign, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, help_text="Empty: made before tokens expired.")
    used_at = models.DateTimeField(null=True, help_text="To the hour.")

    class Meta:
        ordering = ["user_id", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["token_hash"], name="api_token_once"),
            models.CheckConstraint(
                condition=models.Q(everywhere=True) | ~models.Q(scope=""),
                name="api_token_of_campaigns_has_a_scope",
            ),
        ]

    def __str__(self) -> str:
        return self.label or str(self.key)

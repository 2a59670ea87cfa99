"""API tokens."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models.fields import digest_field, public_key


class ApiToken(models.Model):
    """A token that lets a program act as its user.

    Only the hash is stored, so that a copy of the database grants no access.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    key = public_key()
    token_hash = digest_field()
    label = models.CharField(max_length=60, blank=True, help_text="What it is for.")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, help_text="Empty: made before tokens expired.")
    used_at = models.DateTimeField(null=True, help_text="To the hour.")

    class Meta:
        ordering = ["user_id", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["token_hash"], name="api_token_once"),
        ]

    def __str__(self) -> str:
        return self.label or str(self.key)

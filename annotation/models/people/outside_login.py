"""Logins at a provider outside."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models.fields import public_key
from paraanno import clock


class OutsideLogin(models.Model):
    """Somebody's login at a provider of single sign-on, by the provider's own name for them: an
    e-mail address may change hands, a subject may not."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="outside_logins"
    )
    key = public_key()
    issuer = models.CharField(max_length=200)
    subject = models.CharField(max_length=255)
    label = models.CharField(
        max_length=254, blank=True, help_text="The address or name there when it was connected."
    )
    created_at = models.DateTimeField(default=clock.now)
    used_at = models.DateTimeField(null=True, help_text="Its last login here.")

    class Meta:
        ordering = ["user_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="outside_login_once"),
        ]

    def __str__(self) -> str:
        return self.label or self.subject

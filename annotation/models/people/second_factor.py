"""The second factor of a login: an app's codes, and codes for the day it is lost."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models.fields import digest_field
from paraanno import clock


class SecondFactor(models.Model):
    """An app that shows codes (RFC 6238), confirmed by one of them.

    The secret is encrypted with the site's key, so that a copy of the database cannot make codes.
    `last_step` is the step of time of the last code taken: no code is taken twice.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="second_factor"
    )
    secret = models.CharField(max_length=400, editable=False)
    last_step = models.BigIntegerField(default=0)
    failures = models.PositiveIntegerField(default=0, help_text="Since the last right code.")
    failed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["user_id"]

    def __str__(self) -> str:
        return f"second factor of {self.user_id}"


class RecoveryCode(models.Model):
    """A code that works once instead of the app. Only its hash is stored; a used one is gone."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="recovery_codes"
    )
    code_hash = digest_field()

    class Meta:
        ordering = ["user_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "code_hash"], name="recovery_code_once"),
        ]

    def __str__(self) -> str:
        return f"recovery code of {self.user_id}"

"""Where somebody is signed in."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models.fields import public_key
from paraanno import clock


class SignedIn(models.Model):
    """A login in one browser: whose session it is, which the session's own row does not say.

    It stands for nothing once the row of the session is gone.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="signed_in")
    key = public_key()
    session_key = models.CharField(max_length=40, unique=True, editable=False)
    agent = models.CharField(max_length=200, blank=True, help_text="What the browser calls itself.")
    at = models.DateTimeField(default=clock.now)
    seen_at = models.DateTimeField(default=clock.now, help_text="To the hour.")

    class Meta:
        ordering = ["user_id", "-seen_at"]

    def __str__(self) -> str:
        return f"{self.user_id}, {self.seen_at:%Y-%m-%d}"

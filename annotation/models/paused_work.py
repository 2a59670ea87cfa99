"""Kinds of work that workers leave alone for now."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class PausedWork(models.Model):
    """A kind of jobs that an administrator has paused: what waits goes on waiting."""

    name = models.CharField(
        max_length=30, unique=True, help_text="Of the kind, as in `paraanno.jobs.kinds`."
    )
    paused_at = models.DateTimeField(auto_now_add=True)
    paused_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

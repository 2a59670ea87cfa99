"""The audit log."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models.campaigns.campaign import Campaign
from paraanno import clock


class AuditEntry(models.Model):
    """One action of a person or of the system (no actor), and whom it is about; append-only."""

    campaign = models.ForeignKey(Campaign, models.SET_NULL, null=True, related_name="audit")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    verb = models.CharField(max_length=60)
    object_type = models.CharField(max_length=60)
    object_id = models.CharField(max_length=64, blank=True)
    # A person by their login, which is forgotten with it; an annotator by their code.
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    about = models.CharField(max_length=60, blank=True)
    data = models.JSONField(default=dict)
    at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "audit entries"
        indexes = [models.Index(fields=["campaign", "at"], name="audit_in_campaign")]

    def __str__(self) -> str:
        return f"{self.verb} {self.object_type}"

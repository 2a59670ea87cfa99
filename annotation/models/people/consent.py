"""Consent texts, and the annotators' consent."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from annotation.models.campaigns.campaign import Campaign
from annotation.models.people.annotator import Annotator


class ConsentText(models.Model):
    """One version of the consent text; append-only. An empty text requires no consent."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="consent_texts")
    version = models.PositiveIntegerField()
    text = models.TextField(blank=True, help_text="Markdown")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "version"], name="consent_text_version_once_per_campaign"
            ),
        ]

    def __str__(self) -> str:
        return f"Consent text {self.version} of {self.campaign}"


class Consent(models.Model):
    """An annotator's consent to one version, in force until they withdraw."""

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="consents")
    text = models.ForeignKey(ConsentText, models.RESTRICT, related_name="consents")
    at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["annotator_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["annotator", "text"],
                condition=Q(ended_at__isnull=True),
                name="consent_in_force_once",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("at")),
                name="consent_ends_after_start",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator_id} agreed to {self.text_id}"

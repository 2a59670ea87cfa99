"""Stored reports: results of statistics."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Campaign
from annotation.models.fields import digest_field, public_key
from paraanno.jobs.row import JobRow, JobStatus
from scoring.models.fields import SentencesJSONField


class Report(JobRow):
    """A dated result with its options and the fingerprint of its data.

    A report is computed once for each campaign, kind, options and fingerprint.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="reports")
    key = public_key()
    kind = models.CharField(max_length=30)
    options = models.JSONField(default=dict)
    options_hash = digest_field()
    fingerprint = models.CharField(max_length=64)
    result = SentencesJSONField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "kind", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "kind", "options_hash", "fingerprint"],
                name="report_once_per_data_and_options",
            ),
            models.CheckConstraint(
                condition=Q(status__in=JobStatus.values),
                name="report_status_known",
            ),
            models.CheckConstraint(
                condition=Q(status="done", result__isnull=False)
                | Q(status__in=["queued", "running", "failed", "cancelled"], result__isnull=True),
                name="report_done_means_result",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(error=""), name="report_failed_says_why"
            ),
        ]
        indexes = [models.Index(fields=["campaign", "kind", "created_at"], name="report_newest")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.campaign_id} ({self.status})"

"""Stored reports: results of statistics."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Campaign
from annotation.models.fields import digest_field, public_key
from paraanno.jobs.row import JobRow, JobStatus
from scoring.models.runs import OrderedJSONField, SentencesJSONField


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


# In which states of the judgments comparisons were looked at.


class Look(models.Model):
    """The comparisons of systems, or of metrics, were made from one state of the judgments.

    `state` is `judgments_state`; empty: there were looks before they were counted, nobody knows how
    many. A state counts once, however often it is looked at, and rows stay when reports go.
    """

    class About(models.TextChoices):
        RESULTS = "results"
        CORRELATION = "correlation"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="looks")
    about = models.CharField(max_length=11, choices=About)
    state = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "about", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "about", "state"], name="look_once_per_state"
            ),
            models.CheckConstraint(
                condition=Q(about__in=["results", "correlation"]), name="look_about_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.about} of {self.campaign_id} at {self.at}"


# The main numbers of a campaign's reports, day by day.


class TrendPoint(models.Model):
    """The main numbers of a day's newest report of a kind; kept when the report is deleted.

    `numbers` holds [value, ci_low, ci_high, name] by scale: Krippendorff's alpha of the scale's
    level and which of the three that is (agreement), or the best metric's Pearson with people and
    its label (correlation).
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="trend")
    kind = models.CharField(max_length=30)
    day = models.DateField()
    numbers = OrderedJSONField(default=dict)

    class Meta:
        ordering = ["campaign_id", "kind", "day"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "kind", "day"], name="trend_point_once_per_day"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.campaign_id} on {self.day}"

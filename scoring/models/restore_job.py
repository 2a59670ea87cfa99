"""Archives that are being restored."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign
from annotation.models.fields import public_key
from paraanno.plain.sentence_columns import kept
from scoring.models.fields import OrderedJSONField


class RestoreJob(models.Model):
    """An archive that a worker restores as a new campaign.

    `done` and `total` count its rows, each once as it is checked and once as it is written. The
    file is removed when the job ends.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", _("Queued")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")

    key = public_key()
    slug = models.SlugField(
        max_length=60, blank=True, help_text="Of the new campaign; empty: as in the archive."
    )
    file_name = models.CharField(max_length=255)
    path = models.CharField(max_length=500, blank=True, help_text="Relative to the data folder.")
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    campaign = models.ForeignKey(
        Campaign, models.SET_NULL, null=True, related_name="restored_by", help_text="What it made."
    )
    error = models.TextField(blank=True)
    error_parts = OrderedJSONField(null=True, help_text="What the error was made from.")
    worker = models.CharField(max_length=200, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="restore_jobs"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["queued", "running", "done", "failed"]),
                name="restore_job_status_known",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(error=""), name="restore_job_failed_says_why"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["done", "failed"]) | ~Q(path=""),
                name="restore_job_waiting_has_file",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.file_name} ({self.status})"

    @property
    def active(self) -> bool:
        """Whether a worker has it still to do."""
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)

    @property
    def said(self) -> str:
        """The error as a translatable sentence."""
        return kept(self.error, self.error_parts)

    @property
    def stored(self) -> Path:
        """The path of the file."""
        return Path(settings.DATA_DIR) / self.path

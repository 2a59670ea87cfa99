"""Archives that are being restored."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Campaign
from annotation.models.fields import public_key
from paraanno.jobs.row import OVER, JobRow, JobStatus


class RestoreJob(JobRow):
    """An archive that a worker restores as a new campaign.

    `done` and `total` count its rows, each once as it is checked and once as it is written. The
    file is removed when the job ends.
    """

    key = public_key()
    slug = models.SlugField(
        max_length=60, blank=True, help_text="Of the new campaign; empty: as in the archive."
    )
    file_name = models.CharField(max_length=255)
    path = models.CharField(max_length=500, blank=True, help_text="Relative to the data folder.")
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    campaign = models.ForeignKey(
        Campaign, models.SET_NULL, null=True, related_name="restored_by", help_text="What it made."
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="restore_jobs"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=JobStatus.values),
                name="restore_job_status_known",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(error=""), name="restore_job_failed_says_why"
            ),
            models.CheckConstraint(
                condition=Q(status__in=OVER) | ~Q(path=""),
                name="restore_job_waiting_has_file",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.file_name} ({self.status})"

    @property
    def completed(self) -> float | None:
        return self.done / self.total if self.total else None

    @property
    def stored(self) -> Path:
        """The path of the file."""
        return Path(settings.DATA_DIR) / self.path

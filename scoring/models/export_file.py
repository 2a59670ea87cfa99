"""Exports that are too large to stream."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Campaign
from annotation.models.fields import public_key
from paraanno.jobs.row import JobRow, JobStatus


class ExportFile(JobRow):
    """An export file made by a worker; its row count and SHA-256 prove that it is complete."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="export_files")
    key = public_key()
    what = models.CharField(max_length=30)
    format = models.CharField(max_length=10)
    options = models.JSONField(default=dict)
    rows = models.PositiveBigIntegerField(null=True)
    sha256 = models.CharField(max_length=64, blank=True)
    size = models.PositiveBigIntegerField(null=True)
    path = models.CharField(max_length=500, blank=True, help_text="Relative to the data folder.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True, help_text="When the file's lifetime was over.")

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=JobStatus.values),
                name="export_file_status_known",
            ),
            models.CheckConstraint(
                condition=~Q(status="done")
                | (Q(rows__isnull=False, size__isnull=False) & ~Q(sha256="") & ~Q(path="")),
                name="export_file_done_is_whole",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(error=""), name="export_file_failed_says_why"
            ),
            models.CheckConstraint(
                condition=Q(removed_at__isnull=True) | Q(status="done"),
                name="export_file_removed_was_done",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.what}.{self.format} of {self.campaign_id} ({self.status})"

    @property
    def stored(self) -> Path:
        """The path of the finished file."""
        return Path(settings.DATA_DIR) / self.path

    @property
    def gone(self) -> bool:
        """Whether it was finished but its file has been removed."""
        if self.status != self.Status.DONE:
            return False
        return self.removed_at is not None or not self.stored.is_file()

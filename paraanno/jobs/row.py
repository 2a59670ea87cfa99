"""What the rows of all kinds of jobs share."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from paraanno.plain.sentence_columns import kept


class JobStatus(models.TextChoices):
    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


ACTIVE = (JobStatus.QUEUED, JobStatus.RUNNING)
OVER = (JobStatus.DONE, JobStatus.FAILED, JobStatus.CANCELLED)


class JobRow(models.Model):
    """Work for a worker: the row is the truth, a message only says "look in the database".

    An attempt claims it by a compare-and-set that writes a new `token`; whoever does not hold the
    token changes nothing any more. `worker` is the process of the attempt. An ended row that still
    names one was cancelled under it, and its files are not removed yet.
    """

    Status = JobStatus

    status = models.CharField(max_length=10, choices=JobStatus, default=JobStatus.QUEUED)
    error = models.TextField(blank=True)
    error_parts = models.JSONField(null=True, help_text="What the error was made from.")
    worker = models.CharField(max_length=200, blank=True)
    token = models.CharField(max_length=32, blank=True, help_text="Of the attempt at work.")
    # Processes that began it; those that are not to blame are taken off.
    attempts = models.PositiveIntegerField(default=0)
    retries = models.PositiveIntegerField(default=0, help_text="How often it was put back.")
    not_before = models.DateTimeField(null=True, help_text="When it may be tried again.")
    heartbeat = models.DateTimeField(null=True, help_text="When work on it last moved on.")
    share = models.FloatField(null=True, help_text="Of the work that is done, where known.")
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    @property
    def active(self) -> bool:
        """Whether a worker has it still to do."""
        return self.status in ACTIVE

    @property
    def said(self) -> str:
        """The error as a translatable sentence."""
        return kept(self.error, self.error_parts)

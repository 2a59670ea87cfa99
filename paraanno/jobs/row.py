"""What the rows of all kinds of jobs share."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from paraanno.common.records import with_parts


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
    def completed(self) -> float | None:
        """The share of the work that is done, from 0 to 1; None: not known."""
        return self.share if self._seconds else None

    @property
    def seconds_left(self) -> int | None:
        """The seconds that the rest takes if it goes on as it did so far; None: not known, also
        where it has gone on for longer than that.

        By this host's clock: an estimate must not cost a query."""
        share, seconds, since = self.completed, self._seconds, self.started_at
        if not share or not seconds or since is None or self.finished_at is not None:
            return None
        whole = timedelta(seconds=seconds / min(share, 1.0))
        left = round((since + whole - timezone.now()).total_seconds())
        return left if left > 0 else None

    @property
    def _seconds(self) -> float:
        """From the beginning of the attempt at work until it last said how far it is; 0: it did
        not yet."""
        if not self.worker or self.started_at is None or self.heartbeat is None:
            return 0.0
        return float((self.heartbeat - self.started_at).total_seconds())

    @property
    def sentence(self) -> str:
        """The error as a translatable sentence."""
        return with_parts(self.error, self.error_parts)

"""Chunks of a run."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from paraanno.jobs.row import JobRow, JobStatus
from scoring.models.run import Run


class RunChunk(JobRow):
    """Some items of a run, scored together; `first_item` and `last_item` are item ids.

    `suspect` is the substitution that the process was about to score when texts are scored one at a
    time: if the process dies, that text is the cause.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    first_item = models.BigIntegerField()
    last_item = models.BigIntegerField()
    total = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    suspect = models.BigIntegerField(null=True)

    class Meta:
        ordering = ["run_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="chunk_number_once_per_run"),
            models.CheckConstraint(
                condition=Q(status__in=JobStatus.values),
                name="chunk_status_known",
            ),
            models.CheckConstraint(
                condition=Q(first_item__lte=F("last_item")), name="chunk_range_not_reversed"
            ),
            models.CheckConstraint(
                condition=Q(failed__lte=F("done")), name="chunk_failed_are_among_done"
            ),
            models.CheckConstraint(
                condition=~Q(status="running") | (Q(started_at__isnull=False) & ~Q(worker="")),
                name="chunk_running_has_worker",
            ),
        ]
        indexes = [
            models.Index(fields=["run", "status", "number"], name="chunk_to_claim"),
            models.Index(fields=["run", "first_item"], name="chunk_by_items"),
            models.Index(
                fields=["worker"], condition=Q(status="running"), name="chunk_running_by_worker"
            ),
        ]

    def __str__(self) -> str:
        return f"Chunk {self.number} of run {self.run_id}: {self.status}"

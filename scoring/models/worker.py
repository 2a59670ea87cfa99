"""Signs of life."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class WorkerBeat(models.Model):
    """One worker (a main process with its children), from its start to its end.

    `stopped_at` is written by a worker that ends in order, `lost_at` by the next worker on the
    same host where it finds one that did not. `memory` has a row for each of its processes, the
    main one first: pid, and in bytes `pss` (its own pages and its share of those that processes
    have in common; null where the system does not tell) and `rss` (all of them).
    """

    name = models.CharField(max_length=150, unique=True)
    host = models.CharField(max_length=100)
    pid = models.PositiveIntegerField()
    queues = models.JSONField(default=list)
    memory = models.JSONField(default=list)
    processes = models.PositiveIntegerField(default=1)
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    stopped_at = models.DateTimeField(null=True)
    lost_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-seen_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(stopped_at__isnull=True) | Q(lost_at__isnull=True),
                name="worker_beat_stopped_or_lost",
            ),
        ]
        indexes = [models.Index(fields=["seen_at"], name="worker_beat_seen")]

    def __str__(self) -> str:
        return self.name

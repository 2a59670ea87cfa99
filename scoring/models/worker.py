"""Heartbeats of workers."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class WorkerBeat(models.Model):
    """One worker (a main process with its children), from its start to its end.

    `stopped_at` is set by a worker that stops normally, `lost_at` by the next worker on the same
    host for one that died. `memory` has a row per process, the main one first: pid, and in bytes
    `pss` (proportional set size: private pages plus its share of shared pages; null if the system
    does not report it) and `rss` (resident set size). `storage` tells its data folder
    from others (see `WebHost`); empty: not known.
    """

    name = models.CharField(max_length=150, unique=True)
    host = models.CharField(max_length=100)
    pid = models.PositiveIntegerField()
    queues = models.JSONField(default=list)
    memory = models.JSONField(default=list)
    processes = models.PositiveIntegerField(default=1)
    storage = models.CharField(max_length=100, blank=True)
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

"""Computed boards."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models.fields import digest_field
from paraanno.jobs.row import JobRow
from scoring.models.fields import OrderedJSONField
from scoring.shared_tasks.models.task import SharedTask


class TaskBoard(JobRow):
    """The boards of all tracks of a task on one part, as of a set of submissions.

    The public one is made again after each submission; readers get the newest that is there. The
    final one is made once, after closing.
    """

    class Part(models.TextChoices):
        PUBLIC = "public"
        FINAL = "final"

    task = models.ForeignKey(SharedTask, models.CASCADE, related_name="boards")
    part = models.CharField(max_length=10, choices=Part)
    state_hash = digest_field()
    content = OrderedJSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["task", "part"], name="task_board_once"),
            models.CheckConstraint(
                condition=Q(part__in=["public", "final"]), name="task_board_part_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task}: {self.part}"

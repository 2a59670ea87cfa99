"""Teams of a shared task."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from annotation.models.fields import public_key
from scoring.shared_tasks.models.task import SharedTask


class Team(models.Model):
    """Who submits. The product's own baselines are a team without members, one for each task."""

    task = models.ForeignKey(SharedTask, models.CASCADE, related_name="teams")
    key = public_key()
    name = models.CharField(max_length=60)
    method = models.TextField(blank=True, help_text="What it did, in its own words; Markdown.")
    is_baseline = models.BooleanField(default=False)
    token_hash = models.CharField(max_length=64, editable=False, help_text="Of the link to join.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["task_id", "pk"]
        constraints = [
            models.UniqueConstraint("task", Lower("name"), name="task_team_once"),
            models.UniqueConstraint(fields=["token_hash"], name="task_team_token_once"),
            models.UniqueConstraint(
                fields=["task"], condition=Q(is_baseline=True), name="task_baselines_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class TeamMember(models.Model):
    """An account in a team; in one team of a task alone."""

    task = models.ForeignKey(SharedTask, models.CASCADE, related_name="+")
    team = models.ForeignKey(Team, models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["team_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["task", "user"], name="task_member_in_one_team"),
        ]

    def __str__(self) -> str:
        return f"{self.user} of {self.team}"

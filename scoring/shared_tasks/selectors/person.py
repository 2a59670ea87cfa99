"""What tasks store about a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User

from scoring.shared_tasks.models import Submission, TeamMember


def tasks_of(user: User) -> Mapping[str, Iterable[Mapping[str, Any]]]:
    """Teams and submissions, for the zip of a person's data."""
    teams = TeamMember.objects.filter(user=user).order_by("pk")
    sent = Submission.objects.filter(created_by=user).order_by("pk")
    return {
        "teams": teams.values("task__slug", "team__name", "created_at"),
        "submissions": sent.values(
            "track__task__slug", "track__name", "name", "note", "sha256", "created_at"
        ),
    }

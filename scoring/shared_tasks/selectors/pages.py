"""What pages show of a task besides its board."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, QuerySet

from annotation.models import Judgment
from paraanno import clock
from scoring.shared_tasks.models import DayCount, SharedTask, Submission, Team, Track


@dataclass(frozen=True, slots=True)
class TeamLooks:
    """How often a team saw public values of a track while the task was open."""

    team: str
    track: str
    n: int


def teams_of(*, task: SharedTask) -> QuerySet[Team]:
    """Teams with `people` and `sent`, the numbers of their members and submissions."""
    return Team.objects.filter(task=task, is_baseline=False).annotate(
        people=Count("members", distinct=True), sent=Count("submissions", distinct=True)
    )


def looks_of(*, task: SharedTask) -> list[TeamLooks]:
    """Looks by team and track, the most first: every scored submission showed its value once."""
    rows = (
        Submission.objects.filter(track__task=task, baseline="", status="done")
        .values_list("team__name", "track__name")
        .annotate(n=Count("pk"))
        .order_by("-n", "team__name", "track__name")
    )
    return [TeamLooks(*row) for row in rows]


def left_today(*, task: SharedTask, team: Team) -> dict[str, int]:
    """How many submissions a team may still make today, by track."""
    counts = DayCount.objects.filter(team=team, day=clock.now().date())
    made = dict(counts.values_list("track__name", "n"))
    tracks = Track.objects.filter(task=task).values_list("name", flat=True)
    return {name: max(0, task.per_day - made.get(name, 0)) for name in tracks}


def has_newer_judgments(*, task: SharedTask) -> bool:
    """Whether the campaign was judged after the task was frozen; organisers see it."""
    if task.frozen_at is None:
        return False
    rows = Judgment.objects.filter(campaign_id=task.campaign_id, recorded_at__gt=task.frozen_at)
    return rows.exists()


def public_points(*, track: Track) -> list[tuple[str, datetime, dict[str, float | None]]]:
    """Teams with the times and public values of their scored submissions, in order of time."""
    rows = Submission.objects.filter(
        track=track, status="done", withdrawn_at=None, baseline="", public__isnull=False
    )
    found = rows.order_by("pk").values_list("team__name", "created_at", "public")
    return [(team, at, public or {}) for team, at, public in found]

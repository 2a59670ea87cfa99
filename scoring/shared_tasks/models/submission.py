"""Submissions, and how many a team made on a day."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.fields import public_key
from paraanno.jobs.row import JobRow
from scoring.models.fields import OrderedJSONField
from scoring.shared_tasks.models.task import Content, Track
from scoring.shared_tasks.models.team import Team


class Submission(JobRow):
    """One file of a team for a track. It is never replaced.

    A worker writes `public`, what the team is shown at once. `final` is written when the task has
    closed, and not before.
    """

    track = models.ForeignKey(Track, models.CASCADE, related_name="submissions")
    team = models.ForeignKey(Team, models.CASCADE, related_name="submissions")
    key = public_key()
    number = models.PositiveIntegerField(help_text="Of the team and track, from 1.")
    name = models.CharField(max_length=60)
    note = models.TextField(blank=True)
    baseline = models.CharField(max_length=60, blank=True, help_text="The metric it is made of.")
    form = models.CharField(max_length=10, blank=True)
    size = models.PositiveIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True, editable=False)
    content = models.OneToOneField(Content, models.PROTECT, null=True, related_name="+")
    numbers = models.OneToOneField(
        Content, models.PROTECT, null=True, related_name="+",
        help_text="Its decisions or scores in the order of the frozen files.",
    )  # fmt: skip
    primary = models.BooleanField(default=False)
    withdrawn_at = models.DateTimeField(null=True)
    public = OrderedJSONField(null=True)
    final = OrderedJSONField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(help_text="By the server's clock.")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["team", "track", "number"], name="submission_number_once"
            ),
            models.UniqueConstraint(fields=["team", "track", "name"], name="submission_name_once"),
            models.UniqueConstraint(
                fields=["team", "track"],
                condition=Q(primary=True, baseline=""),
                name="submission_one_primary",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(error=""), name="submission_failed_says_why"
            ),
            models.CheckConstraint(
                condition=~Q(baseline="") | Q(content__isnull=False),
                name="submission_of_a_team_has_a_file",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team}: {self.name}"

    @property
    def label(self) -> str:
        """Unique on the board of a track."""
        return str(self.key)


class DayCount(models.Model):
    """How many submissions a team has made to a track on a day (UTC); the limit is a
    compare-and-set on it."""

    track = models.ForeignKey(Track, models.CASCADE, related_name="+")
    team = models.ForeignKey(Team, models.CASCADE, related_name="+")
    day = models.DateField()
    n = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["track", "team", "day"], name="day_count_once"),
        ]

    def __str__(self) -> str:
        return f"{self.team} on {self.day}: {self.n}"

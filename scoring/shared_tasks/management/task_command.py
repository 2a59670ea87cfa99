"""The base of commands about shared tasks."""

from __future__ import annotations

from annotation.management.site_command import SiteCommand
from scoring.shared_tasks.models import SharedTask, Team, Track


class TaskCommand(SiteCommand):
    """A command that needs no worker: it does the work that it asks for."""

    requires_system_checks = "__all__"

    def task(self, slug: str) -> SharedTask:
        """The task of this name; exits with 2 if there is none."""
        task = SharedTask.objects.select_related("campaign").filter(slug=slug).first()
        if task is None:
            self.refuse(f"There is no task {slug!r}.")
        return task

    def track(self, task: SharedTask, name: str) -> Track:
        """The track of this name; exits with 2, naming those that are there."""
        tracks = {track.name: track for track in task.tracks.select_related("task")}
        if name not in tracks:
            names = ", ".join(tracks)
            self.refuse(f"The task has no track {name!r}; its tracks are {names}.")
        return tracks[name]

    def team(self, task: SharedTask, name: str) -> Team:
        """The team of this name; exits with 2 if there is none."""
        team = Team.objects.filter(task=task, name__iexact=name, is_baseline=False).first()
        if team is None:
            self.refuse(f"The task has no team {name!r}: add it with add_team.")
        return team

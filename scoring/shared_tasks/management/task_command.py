"""The base of commands about shared tasks: refusals exit with 2, and no worker is needed."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from scoring.shared_tasks.models import SharedTask, Team, Track
from scoring.shared_tasks.submissions import SubmissionRefused


class TaskCommand(BaseCommand):
    """Runs its services for nobody in particular, as all commands do."""

    def task(self, slug: str) -> SharedTask:
        """The task of this name; exits with 2 if there is none."""
        task = SharedTask.objects.select_related("campaign").filter(slug=slug).first()
        if task is None:
            raise CommandError(f"There is no task {slug!r}.", returncode=2)
        return task

    def track(self, task: SharedTask, name: str) -> Track:
        """The track of this name; exits with 2, naming those that are there."""
        tracks = {track.name: track for track in task.tracks.select_related("task")}
        if name not in tracks:
            names = ", ".join(tracks)
            raise CommandError(
                f"The task has no track {name!r}; its tracks are {names}.", returncode=2
            )
        return tracks[name]

    def team(self, task: SharedTask, name: str) -> Team:
        """The team of this name; exits with 2 if there is none."""
        team = Team.objects.filter(task=task, name__iexact=name, is_baseline=False).first()
        if team is None:
            raise CommandError(
                f"The task has no team {name!r}: add it with add_team.", returncode=2
            )
        return team

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.work(options)
        except SubmissionRefused as refusal:
            for problem in refusal.problems:
                self.stderr.write(str(problem))
            sys.exit(2)
        except DomainError as refusal:
            raise CommandError(refusal.message, returncode=2) from refusal

    def work(self, options: dict[str, Any]) -> None:
        """What the command does."""
        raise NotImplementedError

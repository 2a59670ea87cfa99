"""manage.py submit TASK TEAM FILE --track T"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from scoring.shared_tasks.management.task_command import TaskCommand
from scoring.shared_tasks.models import Submission
from scoring.shared_tasks.submissions import SubmissionRefused, submit, work_finish


class Command(TaskCommand):
    help = "Submit a file of a team: pair, choice (a, b or =), or text, score; all or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("task", help="the task's short name")
        parser.add_argument("team", help="its name")
        parser.add_argument("file")
        parser.add_argument("--track", required=True, metavar="T")
        parser.add_argument("--name", default="", help="of the submission; TEAM-NUMBER by default")
        parser.add_argument("--note", default="")

    def work(self, options: dict[str, Any]) -> None:
        task = self.task(options["task"])
        track, team = self.track(task, options["track"]), self.team(task, options["team"])
        try:
            with self.reading(options["file"]) as stream:
                made = submit(
                    track=track,
                    team=team,
                    stream=stream,
                    file_name=options["file"],
                    name=options["name"],
                    note=options["note"],
                    actor=None,
                )
        except SubmissionRefused as refusal:
            self.refuse_lines(refusal.problems)
        work_finish(task=task)
        made = Submission.objects.get(pk=made.pk)
        value = (made.public or {}).get("half", (made.public or {}).get("value"))
        suffix = "" if value is None else f"; public part: {value:.3f}"
        self.stdout.write(f"Submission {made.name} of {team.name} to {track.name}{suffix}.")

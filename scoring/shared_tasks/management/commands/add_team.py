"""manage.py add_team TASK TEAM"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.urls import reverse

from scoring.shared_tasks.management.task_command import TaskCommand
from scoring.shared_tasks.tasks import team_add


class Command(TaskCommand):
    help = "Add a team to a task; prints the address by which people join it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("task", help="the task's short name")
        parser.add_argument("team", help="its name")

    def work(self, options: dict[str, Any]) -> None:
        team, token = team_add(task=self.task(options["task"]), name=options["team"], actor=None)
        self.stdout.write(
            f"Team {team.name} added. To join it: {reverse('task-join', args=[token])}"
        )

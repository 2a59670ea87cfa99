"""manage.py close_task TASK"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from scoring.shared_tasks.management.task_command import TaskCommand
from scoring.shared_tasks.submissions import task_close, task_publish, work_finish


class Command(TaskCommand):
    help = "Take no more submissions, and make the final board."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("task", help="the task's short name")
        parser.add_argument(
            "--publish", action="store_true", help="show board, gold and all files to everybody too"
        )

    def work(self, options: dict[str, Any]) -> None:
        task = self.task(options["task"])
        if not (options["publish"] and task.over):
            task = task_close(task=task, actor=None)
        work_finish(task=task)
        if options["publish"]:
            task = task_publish(task=task, actor=None)
        self.stdout.write(f"Task {task.slug} is {task.state}.")

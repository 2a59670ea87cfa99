"""manage.py freeze_task TASK"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from scoring.shared_tasks.freeze import task_freeze
from scoring.shared_tasks.management.task_command import TaskCommand
from scoring.shared_tasks.models import SharedTask
from scoring.shared_tasks.submissions import work_finish


class Command(TaskCommand):
    help = "Freeze gold, split, ids and files of a task, and open it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("task", help="the task's short name")

    def work(self, options: dict[str, Any]) -> None:
        task = task_freeze(task=self.task(options["task"]), actor=None)
        work_finish(task=task)
        facts = task.facts
        self.stdout.write(f"Frozen: sha256 {task.fingerprint}.")
        if task.kind == SharedTask.Kind.METRICS:
            self.stdout.write(
                f"{facts['originals']} originals ({facts['public_originals']} public), "
                f"{facts['texts']} texts, {facts['pairs']} pairs, of which people tell "
                f"{facts['told_apart']} apart; left out: {facts['without_gold']} texts without "
                f"gold, {facts['copies']} equal to a reference."
            )
        else:
            self.stdout.write(f"{facts['originals']} originals.")

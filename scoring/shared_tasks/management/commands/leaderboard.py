"""manage.py leaderboard TASK"""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandParser

from scoring.shared_tasks.access import board_json
from scoring.shared_tasks.management.task_command import TaskCommand
from scoring.shared_tasks.submissions import work_finish


class Command(TaskCommand):
    help = "The board of a task: on the public part while it is open, then on the final one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("task", help="the task's short name")
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def work(self, options: dict[str, Any]) -> None:
        task = self.task(options["task"])
        work_finish(task=task)
        board = board_json(task=task)
        if options["json"]:
            self.stdout.write(json.dumps(board, ensure_ascii=False))
            return
        for name, track in board["tracks"].items():
            self.stdout.write(f"{name} ({board['part']} part)")
            for row in track["rows"]:
                self.stdout.write(_line(row))


def _line(row: dict[str, Any]) -> str:
    value = row.get("half", row.get("value"))
    if value is None:
        return f"  -  {row['team']} {row['submission']}"
    low, high = row["ci_low"], row["ci_high"]
    interval = f" [{low:.3f}, {high:.3f}]" if low is not None and high is not None else ""
    ranks = "-" if row["rank_low"] is None else f"{row['rank_low']}-{row['rank_high']}"
    equal = f" (equal to {row['equal_to']})" if row["equal_to"] else ""
    name = f"{row['team']} {row['submission']}{equal}"
    return f"  {ranks:>6} {row['letters'] or row['group']:<3} {value:.3f}{interval}  {name}"

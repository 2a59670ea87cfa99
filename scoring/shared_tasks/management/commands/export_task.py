"""manage.py export_task TASK -o FOLDER"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from scoring.management.command_files import atomic_file
from scoring.shared_tasks.management.task_command import TaskCommand
from scoring.shared_tasks.submissions import participant_files


class Command(TaskCommand):
    help = "Write what participants of a task get: texts, pairs, originals, references."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("task", help="the task's short name")
        parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="a folder")

    def work(self, options: dict[str, Any]) -> None:
        task = self.task(options["task"])
        files = participant_files(task=task)
        folder = Path(options["output"])
        try:
            for name, data in files.items():
                place = folder / name
                place.parent.mkdir(parents=True, exist_ok=True)
                with atomic_file(place) as stream:
                    stream.write(data)
        except OSError as error:
            self.refuse(f"{error.filename or folder}:0: cannot be written ({error.strerror}).")
        for name in files:
            self.stdout.write(str(folder / name))

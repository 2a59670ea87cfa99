"""manage.py work_builds"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from paraanno.running.lifeline import watch_parent
from scoring.services.builds.process import beats_apart, builds_process


class Command(BaseCommand):
    help = "Build the resources that wait, then end; workers start it when there is something."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--parent", type=int, default=0, help="end when this process ends")

    def handle(self, *args: Any, **options: Any) -> None:
        with beats_apart():
            if options["parent"]:
                watch_parent(options["parent"])
            n = builds_process()
        self.stdout.write(f"{n} builds")

"""Commands that do the work of a lane; workers start them."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandParser

from paraanno.running.lifeline import watch_parent
from scoring.services.workers.lanes import Lane, beats_apart


class LaneCommand(BaseCommand):
    """Does what waits in its lane, then ends."""

    lane: ClassVar[Lane]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--parent", type=int, default=0, help="end when this process ends")

    def handle(self, *args: Any, **options: Any) -> None:
        with beats_apart():
            if options["parent"]:
                watch_parent(options["parent"])
            n = self.lane.run()
        self.stdout.write(f"{n} of {self.lane.queue}")

"""Commands that do the work of a lane; workers start them."""

from __future__ import annotations

import signal
from threading import Thread
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandParser

from paraanno.common.lazy_import import late
from paraanno.running.supervision import watch_parent
from scoring.work.lanes import Lane, beats_apart

_give_up = late("scoring.worker:give_up")


class LaneCommand(BaseCommand):
    """Does what waits in its lane, then ends."""

    lane: ClassVar[Lane]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--parent", type=int, default=0, help="end when this process ends")

    def handle(self, *args: Any, **options: Any) -> None:
        with beats_apart():
            # Also where all processes of a service are told to stop at the same time.
            signal.signal(signal.SIGTERM, lambda *_: Thread(target=_give_up, daemon=True).start())
            if options["parent"]:
                watch_parent(options["parent"], end=_give_up)
            n = self.lane.run()
        self.stdout.write(f"{n} of {self.lane.queue}")

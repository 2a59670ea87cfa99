"""The supervisor, as `python -m paraanno.running.supervise -c CONFIG`.

It is the supervisor of the `supervisor` package, but it starts its programs at once, where the
original waits for a second first, and it ends where the start cannot prepare the site.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from supervisor import supervisord
from supervisor.states import SupervisorStates

from paraanno.running.supervision import PREPARING


class PromptSupervisor(supervisord.Supervisor):
    failed = False

    def runforever(self) -> Any:
        if PREPARING in os.environ:
            self.options.pidhistory[int(os.environ[PREPARING])] = self
        for group in self.process_groups.values():
            group.transition()
        return super().runforever()

    def finish(self, pid: int, status: int) -> None:
        """What prepares the site has ended; where it failed it has said why."""
        if status:
            PromptSupervisor.failed = True
            self.options.mood = SupervisorStates.SHUTDOWN


if __name__ == "__main__":
    supervisord.Supervisor = PromptSupervisor
    supervisord.main()
    sys.exit(PromptSupervisor.failed)

"""The supervisor, as `python -m paraanno.running.supervise -c CONFIG`.

It is the supervisor of the `supervisor` package, but it starts its programs at once: the original
waits for a second first.
"""

from __future__ import annotations

from typing import Any

from supervisor import supervisord


class PromptSupervisor(supervisord.Supervisor):
    def runforever(self) -> Any:
        for group in self.process_groups.values():
            group.transition()
        return super().runforever()


if __name__ == "__main__":
    supervisord.Supervisor = PromptSupervisor
    supervisord.main()

"""The supervisor, as `python -m paraanno.supervise -c CONFIG`.

It is the one of the `supervisor` package, but its programs start at once: the original looks
after them for the first time when it has waited for a second.
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

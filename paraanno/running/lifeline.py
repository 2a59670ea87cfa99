"""Processes that end when the process that started them ends, even by kill -9.

An orphan would hold the port, or continue a task that its successor takes over.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable

SUPERVISED = "PARAANNO_SUPERVISED"
_PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Ask the kernel to kill this process when `parent` ends (Linux; elsewhere nothing happens).

    On other systems the next start ends the processes that an earlier one left (stale.py).
    """
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # The parent ended before the request was made.
        os.kill(os.getpid(), signal.SIGKILL)


def die_with_supervisor() -> None:
    """End this server process with the supervisor, if `make run` started it."""
    if SUPERVISED in os.environ:
        die_with_parent(os.getppid())


def watch_parent(parent: int, end: Callable[[], object] = lambda: os._exit(1)) -> None:
    """End this process within a second after the end of `parent`, or do what `end` does.

    For processes that a thread of the parent may have started: the kernel's mechanism would take
    the end of that thread, which is normal when a worker shuts down, for the end of the parent.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        end()

    threading.Thread(target=watch, name="watch-parent", daemon=True).start()

"""The names that claims are signed with, and whether such a process still runs on this host."""

from __future__ import annotations

import os
import secrets
import socket
from datetime import timedelta

# Set in the main process of a worker and inherited by its children, which form one worker.
MAIN_PID = os.getpid()
# A worker counts as dead after missing two heartbeats.
DEAD_AFTER = timedelta(seconds=25)
_TOKEN = secrets.token_hex(4)


def worker_name() -> str:
    """The name of this worker: host, main process id, and a token that changes on restart."""
    return f"{socket.gethostname()[:60]}:{MAIN_PID}:{_TOKEN}"


def process_name() -> str:
    """The worker and the process id."""
    return f"{worker_name()}/{os.getpid()}"


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # It exists, under another user.
        return True
    return True

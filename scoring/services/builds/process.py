"""The process that builds: a worker starts it when something waits, and it ends when nothing does.

So builds never stand in the way of metric runs, and what they take of memory is free afterwards.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connection
from filelock import FileLock, Timeout

from scoring.queues import BUILD, queue_name
from scoring.services.builds.work import builds_work
from scoring.services.workers.heartbeats import BEAT_SECONDS, beat, beat_start, beat_stop

logger = logging.getLogger(__name__)


def builds_lock() -> FileLock:
    """Held by the one process of this machine that builds."""
    return FileLock(Path(settings.DATA_DIR) / "builds.lock")


def builds_begin() -> subprocess.Popen[bytes] | None:
    """Start the process, unless one is there; it ends with the process that calls this."""
    try:
        with builds_lock().acquire(blocking=False):
            pass
    except Timeout:
        return None
    command = [sys.executable, "-m", "django", "work_builds", "--parent", str(os.getpid())]
    process = subprocess.Popen(command, cwd=settings.BASE_DIR)  # noqa: S603 our own program
    # Waited for, so that an ended one does not look as if it were running.
    threading.Thread(target=process.wait, name="wait-for-builds", daemon=True).start()
    return process


def builds_process() -> int:
    """The work of that process: builds until nothing waits; 0 if another process is at it."""
    try:
        with builds_lock().acquire(blocking=False), _Beats():
            return builds_work()
    except Timeout:
        return 0


class _Beats:
    """Heartbeats of this process, by which others know that its claims hold."""

    def __enter__(self) -> None:
        self._queues = [queue_name(BUILD)]
        self._over = threading.Event()
        beat_start(queues=self._queues)
        self._thread = threading.Thread(target=self._loop, name="heartbeat", daemon=True)
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        beat_stop()

    def _loop(self) -> None:
        while not self._over.wait(BEAT_SECONDS):
            try:
                close_old_connections()
                beat(queues=self._queues)
            except (DatabaseError, InterfaceError) as error:
                logger.warning("No heartbeat: the database says %s", error)
            finally:
                connection.close()

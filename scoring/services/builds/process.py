"""The process that builds: a worker starts it when something waits, and it ends when nothing does.

So builds never hold up metric runs, and the memory that they take is free afterwards.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import psutil
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from filelock import FileLock, Timeout

from paraanno.running.lifeline import die_with_parent
from scoring.queues import BUILD, queue_name
from scoring.services.builds.work import builds_work
from scoring.services.workers.heartbeats import (
    BEAT_SECONDS,
    beat_again,
    beat_lost,
    beat_start,
    beat_stop,
)

logger = logging.getLogger(__name__)
_started: list[subprocess.Popen[bytes]] = []  # The last one that this process has started.


def builds_lock() -> FileLock:
    """Held by the one process of this machine that builds."""
    return FileLock(Path(settings.DATA_DIR) / "builds.lock")


def builds_begin(
    after_death: Callable[[], object] = lambda: None,
) -> subprocess.Popen[bytes] | None:
    """Start the process, unless one is there; it ends with the process that calls this.

    If it dies, its worker is marked as lost at once, not when heartbeats have been missed, and
    `after_death` is called, in a thread.
    """
    if _started and _started[-1].poll() is None:
        return None  # It takes a second before it holds the lock.
    try:
        with builds_lock().acquire(blocking=False):
            pass
    except Timeout:
        return None
    command = [sys.executable, "-m", "django", "work_builds", "--parent", str(os.getpid())]
    process = subprocess.Popen(command, cwd=settings.BASE_DIR)  # noqa: S603 our own program
    _started[:] = [process]
    # Waited for, so that an ended one does not look as if it were running.
    threading.Thread(
        target=_wait, args=(process, after_death), name="wait-for-builds", daemon=True
    ).start()
    return process


def _wait(process: subprocess.Popen[bytes], after_death: Callable[[], object]) -> None:
    if process.wait() == 0:
        return
    logger.warning("The process that builds ended with %s", process.returncode)
    try:
        beat_lost(pid=process.pid)
        after_death()
    except (DatabaseError, InterfaceError) as error:
        # The sweep finds out by the heartbeats that are missing.
        logger.warning("Its builds are taken back later, for the database says %s", error)
    finally:
        connection.close()


def builds_process() -> int:
    """The work of that process: builds until nothing waits; 0 if another process is doing it."""
    try:
        with builds_lock().acquire(blocking=False):
            beat_start(queues=[queue_name(BUILD)])
            try:
                return builds_work()
            finally:
                beat_stop()
    except Timeout:
        return 0


@contextmanager
def beats_apart() -> Iterator[None]:
    """Let a child send this process's heartbeats, by which others know that its claims hold.

    A step of a library that keeps Python's lock for minutes (training an aligner) would silence a
    thread. Call it before the database is connected: a connection must not be shared.
    """
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        _beat_for(parent)
    try:
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _beat_for(parent: int) -> NoReturn:
    """The child: it ends with its parent, and says nothing for one that is stopped."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this.
    die_with_parent(parent)
    while os.getppid() == parent:
        time.sleep(BEAT_SECONDS)
        try:
            if psutil.Process(parent).status() != psutil.STATUS_STOPPED:
                beat_again()
        except psutil.Error:
            break
        except (DatabaseError, InterfaceError) as error:
            logger.warning("No heartbeat: the database says %s", error)
        finally:
            connection.close()
    os._exit(0)

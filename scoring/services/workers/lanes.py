"""Lanes: work of one sort, done by a process of its own that a worker starts when something waits.

So it never holds up what the workers do (a file that takes an hour to read keeps no import, export
or backup waiting), and the process ends when nothing waits: a site at rest keeps no memory for it.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import psutil
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from filelock import FileLock, Timeout

from paraanno.plain.late import late
from paraanno.plain.places import own_environment, own_program
from paraanno.running.lifeline import die_with_parent
from scoring.queues import BUILD, FILES, queue_name
from scoring.services.workers.heartbeats import (
    BEAT_SECONDS,
    beat_again,
    beat_lost,
    beat_start,
    beat_stop,
)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Lane:
    """`work` does what waits and returns how much; `command` of manage.py calls `run` in a process
    of its own; `queue` is what its heartbeats name. One process of a data folder does it."""

    queue: str
    command: str
    work: Callable[[], int]
    _started: list[subprocess.Popen[bytes]] = field(default_factory=list)  # By this process.

    def lock(self) -> FileLock:
        """Held by the one process that does this work."""
        return FileLock(Path(settings.DATA_DIR) / f"{self.queue}.lock")

    def begin(
        self, after_death: Callable[[], object] = lambda: None
    ) -> subprocess.Popen[bytes] | None:
        """Start the process, unless one is there; it ends with the process that calls this.

        If it dies, its worker is marked as lost at once, not when heartbeats have been missed, and
        `after_death` is called, in a thread.
        """
        if self._started and self._started[-1].poll() is None:
            return None  # It takes a second before it holds the lock.
        try:
            with self.lock().acquire(blocking=False):
                pass
        except Timeout:
            return None
        process = subprocess.Popen(  # noqa: S603 our own program
            own_program("django", self.command, "--parent", str(os.getpid())),
            cwd=settings.DATA_DIR,
            env=own_environment(),
        )
        self._started[:] = [process]
        # Waited for, so that an ended one does not look as if it were running.
        threading.Thread(
            target=_wait, args=(self, process, after_death), name=f"wait-{self.queue}", daemon=True
        ).start()
        return process

    def run(self) -> int:
        """Do the work, as a worker with heartbeats, until nothing waits; 0 if another does it."""
        try:
            with self.lock().acquire(blocking=False):
                beat_start(queues=[queue_name(self.queue)])
                try:
                    return self.work()
                finally:
                    beat_stop()
        except Timeout:
            return 0


BUILDS = Lane(BUILD, "work_builds", late("scoring.services.builds.work:builds_work"))
CONVERSIONS = Lane(FILES, "work_files", late("scoring.services.resources.convert:files_work"))


def _wait(lane: Lane, process: subprocess.Popen[bytes], after_death: Callable[[], object]) -> None:
    if process.wait() == 0:
        return
    logger.warning("The process for %s ended with %s", lane.queue, process.returncode)
    try:
        beat_lost(pid=process.pid)
        after_death()
    except (DatabaseError, InterfaceError) as error:
        # The sweep finds out by the heartbeats that are missing.
        logger.warning("Its work is taken back later, for the database says %s", error)
    finally:
        connection.close()


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

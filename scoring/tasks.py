"""Celery tasks: each takes an id and calls one service, and the work itself is in the database; and
the timer of a worker, with a heartbeat and a sweep every 10 seconds, in its main process.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Any

import psutil
from celery import shared_task
from celery.signals import worker_ready, worker_shutdown, worker_shutting_down
from celery.worker import state
from django.db import DatabaseError, InterfaceError, close_old_connections, connection

from annotation.accounts.login import sessions_expire
from annotation.board.figures import boards_ask
from annotation.database import shares_files
from annotation.mail.emails import Postman, letters_expire, letters_send
from annotation.sheets.tally import tally_fold
from paraanno.backups.make import nightly_begin
from paraanno.jobs.engine import KINDS, give_back, worker_name
from paraanno.jobs.engine import job_work as _job_work
from scoring.runs.work import run_work as _run_work
from scoring.shared_tasks.submissions import close_due
from scoring.work.lanes import BUILDS, CONVERSIONS, sweep
from scoring.work.workers import (
    BEAT_SECONDS,
    REST_SECONDS,
    ask_for_waiting,
    beat,
    beat_start,
    beat_stop,
    is_needless,
    queue_name,
    renew_pool,
)

POLL_SECONDS = 3
EXPIRY_SECONDS = 3600


class LetterThread:
    """Looks for letters every few seconds, until stopped.

    `forking` is held around each use of the database, so that the worker never forks a child with
    a connection in the middle of a query.
    """

    def __init__(self, forking: AbstractContextManager[object]) -> None:
        self._forking = forking
        self._over = threading.Event()
        self._postman = Postman()
        self._expired_at = 0.0
        self._thread = threading.Thread(target=self._loop, name="letters", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop soon: what is being sent now is due again if this process ends before it is done."""
        self._over.set()
        self._thread.join(timeout=1)

    def _loop(self) -> None:
        while not self._over.wait(POLL_SECONDS):
            try:
                letters_send(postman=self._postman, guard=self._guard, over=self._over.is_set)
                if time.monotonic() - self._expired_at > EXPIRY_SECONDS:
                    self._expired_at = time.monotonic()
                    with self._guard():
                        letters_expire()
            except (DatabaseError, InterfaceError) as error:
                logger.warning("No letters are sent: the database says %s", error)
            except Exception:
                logger.exception("Letters failed once")  # One error must not end the thread.

    @contextmanager
    def _guard(self) -> Iterator[None]:
        with self._forking:
            close_old_connections()
            try:
                yield
            finally:
                connection.close()


logger = logging.getLogger(__name__)
# Seconds that a task has after the worker was told to stop: whoever stopped it waits, and kills it
# after eight (supervision.py) or ten (container engines).
GRACE = 3.0

# Held while the timer works, so that the main process never forks a child with a database
# connection in mid-query, or with a lock that nothing in the child would release.
_forking = threading.Lock()
os.register_at_fork(
    before=_forking.acquire, after_in_parent=_forking.release, after_in_child=_forking.release
)


class Timer:
    """A thread that ticks until stopped; retries when the database is unavailable."""

    def __init__(
        self, *, queues: list[str], processes: int, submit: Callable[..., object] | None = None
    ) -> None:
        self._queues = queues
        self._processes = processes
        self._submit = submit
        self._over = threading.Event()
        self._registered = False
        self._begun = 0  # Tasks, by the last tick.
        self._busy_at = time.monotonic()
        self._thread = threading.Thread(target=self._loop, name="heartbeat", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._thread.join(timeout=BEAT_SECONDS)

    def _loop(self) -> None:
        while not self._over.is_set():
            self._safely(self._tick)
            self._over.wait(BEAT_SECONDS)
        self._safely(beat_stop)

    def _tick(self) -> None:
        if not self._registered:
            ended = beat_start(queues=self._queues, processes=self._processes)
            self._registered = True
            if not shares_files():
                logger.warning(
                    "The web server has another data folder than this worker (PARAANNO_DATA_DIR): "
                    "files made here cannot be downloaded there."
                )
            if ended:
                logger.warning("%s earlier workers of this host ended unexpectedly", ended)
        else:
            beat(queues=self._queues, processes=self._processes)
        idle = not state.reserved_requests
        sweep(idle=idle, queues=self._queues, messages=self._processes)
        ask_for_waiting(self._queues)
        begun = sum(state.total_count.values())
        if not idle or begun != self._begun:
            self._busy_at, self._begun = time.monotonic(), begun
        elif is_needless(self._queues, time.monotonic() - self._busy_at):
            logger.info("Nothing to do: this worker ends, and comes back when it is asked for")
            os.kill(os.getpid(), signal.SIGTERM)
        elif (submit := self._resting()) and (renewed := renew_pool(submit)):
            logger.info("Nothing to do: %s processes gave their memory back", renewed)
        for kind in KINDS.values():
            kind.tend()
        close_due()
        sessions_expire()
        tally_fold()
        boards_ask()
        nightly_begin()

    def _resting(self) -> Callable[..., object] | None:
        return self._submit if time.monotonic() - self._busy_at > REST_SECONDS else None

    def _safely(self, work: Any) -> None:
        with _forking:
            try:
                close_old_connections()
                work()
            except (DatabaseError, InterfaceError) as error:
                logger.warning("No heartbeat: the database says %s", error)
            except Exception:
                # One error must not end the thread: without heartbeats the worker looks dead.
                logger.exception("The heartbeat failed once")
            finally:
                connection.close()


_threads: list[Timer | LetterThread] = []


@worker_ready.connect
def start(sender: Any = None, **_: Any) -> None:
    """Start the timer, and what sends letters, when the worker begins to consume messages."""
    queues = sorted(sender.app.amqp.queues.consume_from) if sender is not None else []
    pool = getattr(sender, "pool", None)
    processes = max(1, getattr(pool, "num_processes", None) or 1)
    timer = Timer(queues=queues, processes=processes, submit=_submit(sender))
    _threads.append(timer)
    if queue_name("") in queues:
        _threads.append(LetterThread(_forking))
    for thread in _threads:
        thread.start()


def _submit(consumer: Any) -> Callable[..., object] | None:
    """How another thread gives the pool a job: through the loop, where there is one."""
    pool, hub = getattr(consumer, "pool", None), getattr(consumer, "hub", None)
    if pool is None or hub is None:
        return getattr(pool, "apply_async", None)
    return partial(hub.call_soon, pool.apply_async)


@worker_shutdown.connect
def stop(**_: Any) -> None:
    """Stop them when the worker shuts down, after its last task."""
    while _threads:
        _threads.pop().stop()


@worker_shutting_down.connect
def hurry(**_: Any) -> None:
    """Let tasks end for a moment; a step that takes longer (a first look into word vectors) would
    get the worker killed, which looks like a crash."""
    threading.Thread(target=_leave_unfinished, name="hurry", daemon=True).start()


def _leave_unfinished() -> None:
    """End the worker with what it has begun given back; not reached if it ends by itself before."""
    time.sleep(GRACE)
    for process in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            process.kill()
    give_up()


def give_up() -> None:
    """End this process; what its worker has claimed waits again, and the attempt does not count."""
    try:
        back = give_back(f"{worker_name()}/")
        beat_stop()
        logger.warning("Stopped with %s pieces of work unfinished: they wait again", back)
    except (DatabaseError, InterfaceError) as error:
        logger.warning("Stopped; the database says %s", error)
    os._exit(0)


# Tasks.


@shared_task
def job_work(kind: str, pk: int) -> None:
    """Carry out a job that waits, of any kind."""
    _job_work(kind, pk)


@shared_task
def run_work(run_pk: int) -> None:
    """Do the next step of a run."""
    _run_work(run_pk=run_pk)


@shared_task
def files_begin(resource_pk: int) -> None:
    """Start the process that reads the files that wait, unless one is running."""
    CONVERSIONS.begin(after_death=partial(sweep, idle=False, queues=()))


@shared_task
def builds_begin(build_pk: int) -> None:
    """Start the process that builds what waits, unless one is running."""
    BUILDS.begin(after_death=partial(sweep, idle=False, queues=()))


@shared_task
def demo_runs_make(campaign_pk: int) -> None:
    """Start the metric runs of the demo."""
    # Once in a site's life: every worker would carry the builders that it needs.
    from scoring import demo

    demo.demo_runs_make(campaign_pk=campaign_pk)

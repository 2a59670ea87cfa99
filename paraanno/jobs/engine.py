"""Claim a job, carry it out, close it: safe to repeat, to kill and to freeze.

Every step is a compare-and-set on the row's token. An attempt that lost its token (its worker was
silent for too long, or somebody cancelled or removed the job) meets `Lost`: it can neither close
the job nor touch its files. What it writes has a name of its own until a row names it.
"""

from __future__ import annotations

import errno
import logging
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from operator import attrgetter
from secrets import token_hex
from typing import Any, Final, Protocol

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest, Now

from annotation.database import short_write
from annotation.errors import DomainError
from paraanno.common.progress import listening
from paraanno.common.records import columns, error_sentence, storable
from paraanno.common.texts import Sentence, changed, message_of, say
from paraanno.jobs.row import JobRow, JobStatus

# The names that claims are signed with, and whether such a process still runs on this host.


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


# Why a job failed, as a sentence that shows nothing of the server.


FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
NO_ROOM = say("The server’s disk is full: free some space, then do this again.")
NO_MEMORY = say("This needs more memory than the worker has: give it more, or use less data.")
TOO_LONG = say("This took longer than a worker may: use less data.")
NO_FILE = say(
    "The worker does not find the file: if it runs on another host, both need the same data "
    "folder. Send the file again."
)


def reason(error: Exception) -> str:
    """The message of a refusal; of other errors what to do, or the type and what it says."""
    if isinstance(error, DomainError):
        return error.message
    if isinstance(error, OSError) and error.errno in FULL:
        return NO_ROOM
    if isinstance(error, MemoryError):
        return NO_MEMORY
    if isinstance(error, SoftTimeLimitExceeded):
        return TOO_LONG
    message = message_of(error)
    return without_paths(
        changed(message, storable) if isinstance(message, Sentence) else error_sentence(error)
    )


def reason_of_file(_row: object, error: Exception) -> str:
    """The same for a job that reads a file that was sent."""
    return NO_FILE if isinstance(error, FileNotFoundError) else reason(error)


def without_paths(text: Sentence) -> Sentence:
    """The sentence without the folders of the server."""
    folders = {
        str(one)
        for one in (settings.DATA_DIR, settings.MEDIA_ROOT, settings.FILE_UPLOAD_TEMP_DIR)
        if one
    }
    for folder in sorted(folders, key=len, reverse=True):
        text = changed(text, partial(_without, folder))
    return text


def _without(folder: str, text: str) -> str:
    return text.replace(f"{folder}/", "")


def ended(times: int) -> Sentence:
    """Of a job that has taken down so many processes."""
    return say(
        "The worker process ended %(n)s times while doing this: it ran out of memory, or it "
        "crashes each time. See the worker's log.",
        n=times,
    )


# How workers are woken. Who runs them registers it at startup (scoring/apps.py).
#
# Without workers nothing is queued: everything is done at once.


@dataclass(frozen=True, slots=True)
class Workers:
    """`notify` sends a task with its arguments after the current transaction; `alive` says whether
    a worker runs, `paused` which kinds of work somebody has paused."""

    notify: Callable[..., None]
    alive: Callable[[], bool]
    paused: Callable[[], set[str]] = set


_registered: list[Workers] = []


def register(workers: Workers) -> None:
    """Use these from now on."""
    _registered[:] = [workers]


def workers() -> Workers | None:
    """Return what was registered; None if this site has no workers."""
    return _registered[0] if _registered else None


# Kinds of jobs: what one does, what it may cost, how it goes on, what it cleans up.
#
# Apps register theirs when they start (`annotation/jobs.py`, `scoring/jobs.py`); what does the work
# takes long to load, and is named.


TASK = "scoring.tasks.job_work"
KINDS: dict[str, Kind] = {}


def nothing(*_: object) -> None:
    """Do nothing."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of jobs, with a table of its own.

    work      carry out a claim: return the columns of the row that is done, or close the claim
    why       the sentence for an error, without paths of the server
    clean     remove the files of a job that is over; called by who ended it, again after a kill
    ready     whether the job with this id may begin; it is asked for again when that changes
    tend      what else the timer of a worker looks after: files and rows that nobody needs
    wake      have a worker look at the job with this id, after the current transaction
    cancel, again  what people ask for, where more rows than its own change: of a row and an actor
    attempts  processes that one job may take down
    hears     its loops say how far it is (paraanno/common/progress.py), not its own `tell`
    goes_on   its end is the beginning of other work, which wakes workers itself
    blameless columns of an attempt that did not count
    campaign, who  paths to the campaign and to who asked; `personal`: only they and
              administrators see it
    title, called  what lists call a job, and its kind
    stoppable, repeatable  whether people may cancel it; whether it can be done again
    large     columns that lists leave out
    related   rows of others that they read, once for all
    queued ... cancelled  what the table calls the states of all jobs
    """

    name: str
    model: type[JobRow]
    work: Callable[[Claim], Mapping[str, Any] | None]
    why: Callable[[Any, Exception], str] = lambda row, error: reason(error)
    clean: Callable[[Any], object] = nothing
    ready: Callable[[int], bool] = lambda pk: True
    tend: Callable[[], object] = nothing
    wake: Callable[[int], object] | None = None
    cancel: Callable[..., object] | None = None
    again: Callable[..., object] | None = None
    attempts: int = 3
    hears: bool = False
    goes_on: bool = False
    blameless: Mapping[str, Any] = field(default_factory=dict)
    campaign: str = "campaign"
    who: str = "created_by"
    personal: bool = False
    title: Callable[[Any], str] = attrgetter("name")
    called: Callable[[Any], str] | None = None
    stoppable: bool = True
    repeatable: Callable[[Any], bool] = lambda row: True
    large: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    queued: str = "queued"
    running: str = "running"
    done: str = "done"
    failed: str = "failed"
    cancelled: str = "cancelled"

    @property
    def rows(self) -> QuerySet[Any]:
        return self.model._default_manager.all()

    @property
    def waiting(self) -> QuerySet[Any]:
        rows = self.rows.filter(status=self.queued)
        return rows.filter(token="") if self.queued == self.running else rows

    @property
    def at_work(self) -> QuerySet[Any]:
        """Rows that some attempt has claimed."""
        rows = self.rows.filter(status=self.running)
        return rows.exclude(token="") if self.queued == self.running else rows

    @property
    def unfinished(self) -> QuerySet[Any]:
        """Rows that a sweep may have to change."""
        held = Q(status=self.cancelled) & ~Q(worker="")
        return self.rows.filter(Q(status__in=[self.queued, self.running]) | held).order_by()

    def status_of(self, row: Any) -> JobStatus:
        """The state of a row in the words of all jobs."""
        if row.status == self.queued and not (self.queued == self.running and row.token):
            return JobStatus.QUEUED
        if row.status == self.running or (self.goes_on and row.status == self.done):
            return JobStatus.RUNNING
        own = {self.done: JobStatus.DONE, self.failed: JobStatus.FAILED}
        return own.get(row.status) or JobStatus(row.status)

    def notify(self, pk: int) -> None:
        """Wake a worker for a job once the current transaction is committed."""
        if self.wake is not None:
            self.wake(pk)
        elif (at := workers()) is not None:
            at.notify(TASK, self.name, pk)


def kinds_register(*kinds: Kind) -> None:
    """Add kinds of jobs; each joins sweep, lists, and the tests of all kinds."""
    KINDS.update({kind.name: kind for kind in kinds})


logger = logging.getLogger(__name__)
TELL_SECONDS = 1.0
RETRIES = 12  # The last of them half an hour after the first.
MAX_DELAY = 300
AWAY: Final = (OperationalError, InterfaceError)  # The database is to blame, and no job.
UNCOUNTED: Final = Greatest(F("attempts") - 1, 0)


class Lost(Exception):
    """The job was cancelled or removed, or another attempt has it."""


class Claim:
    """One attempt at a job, which may change it while `held`."""

    def __init__(self, kind: Kind, row: Any, token: str) -> None:
        self.kind, self.row, self.token = kind, row, token
        self.lost = self.over = False
        self._told_at = 0.0

    @property
    def held(self) -> QuerySet[Any]:
        return self.kind.rows.filter(pk=self.row.pk, status=self.kind.running, token=self.token)

    def check(self) -> None:
        """Raise Lost unless this attempt has the job: before what cannot be undone."""
        self._need(self.held.exists())

    def tell(self, *, now: bool = False, **changes: Any) -> None:
        """Store how far it is, at most once a second unless `now`. Raises Lost."""
        if not now and time.monotonic() - self._told_at < TELL_SECONDS:
            return
        with short_write():
            self._need(self.held.update(heartbeat=Now(), **changes))
        self._told_at = time.monotonic()

    def hear(self, share: float) -> None:
        """Store the share that is done, from 0 to 1. Raises Lost."""
        self.tell(share=share)

    def close(self, **changes: Any) -> None:
        """End the job as done, in the caller's transaction if it is in one. Raises Lost."""
        self._end(self.kind.done, changes)

    def fail(self, error: str, **changes: Any) -> None:
        """End the job as failed, with a sentence. Raises Lost."""
        self._end(self.kind.failed, {**columns("error", error), **changes})

    def _end(self, status: str, changes: dict[str, Any]) -> None:
        if not (self.kind.goes_on and status == self.kind.done):
            changes["finished_at"] = Now()
        with short_write():
            rows = self.held
            self._need(rows.update(status=status, worker="", token="", heartbeat=Now(), **changes))
        self.row.status, self.over = status, True

    def _need(self, held: object) -> None:
        if not held:
            self.lost = True
            raise Lost

    def put_back(self) -> None:
        """Let the job wait again after an error of the database, now or as soon as it answers."""
        try:
            with short_write():
                if back(self.kind, self.held, self.row.retries, blameless=True):
                    self.kind.notify(self.row.pk)
        except AWAY:
            if self not in _owed:
                _owed.append(self)


# Claims whose jobs this process has given up, and could not put back.
_owed: list[Claim] = []


def settle() -> None:
    """Put back what this process could not, before it takes other work: as long as it lives,
    nobody else may."""
    owed, _owed[:] = _owed[:], []
    for claim in owed:
        claim.put_back()


def back(
    kind: Kind, rows: QuerySet[Any], retries: int, *, blameless: bool, delay: bool = True
) -> int:
    """Let claimed rows wait again; how many did. The first time they wait for nothing."""
    seconds = min(2**retries, MAX_DELAY) if retries and delay else 0
    more = {"attempts": UNCOUNTED, **kind.blameless} if blameless else {}
    return rows.update(
        status=kind.queued,
        worker="",
        token="",
        retries=F("retries") + 1,
        not_before=Now() + timedelta(seconds=seconds) if seconds else None,
        **more,
    )


def due_now() -> Q:
    """A filter for what waits for no pause. One that is longer than any began before the
    database's clock was set back."""
    longest = Now() + timedelta(seconds=MAX_DELAY)
    return Q(not_before=None) | Q(not_before__lte=Now()) | Q(not_before__gt=longest)


def paused(kind: Kind) -> bool:
    """Whether somebody has paused this kind of work."""
    return kind.name in _paused()


def _paused() -> set[str]:
    at = workers()
    return at.paused() if at is not None else set()


def claim(kind: Kind, pks: list[int], **changes: Any) -> str:
    """Claim those of the rows that wait; return the token of those that are now this process's."""
    token = token_hex(16)
    with short_write():
        rows = kind.waiting.filter(pk__in=pks).update(
            status=kind.running,
            worker=process_name(),
            token=token,
            attempts=F("attempts") + 1,
            heartbeat=Now(),
            started_at=Now(),
            not_before=None,
            **changes,
        )
    return token if rows else ""


def job_work(name: str, pk: int) -> bool:
    """Carry out a job that waits; whether this process did it. Messages may come twice or late."""
    settle()
    kind = KINDS[name]
    due = kind.waiting.filter(due_now(), pk=pk)
    if not due.exists() or paused(kind) or not kind.ready(pk):
        return False
    token = claim(kind, [pk])
    row = kind.rows.filter(pk=pk).first() if token else None
    if row is None:
        return False
    carry_out(Claim(kind, row, token))
    return True


def all_work(kind: Kind) -> int:
    """Carry out what waits, one job after another, until nothing does; return how many.

    What was put back goes behind everything that was not: one bad file keeps no other waiting.
    """
    taken, left = 0, set[int]()
    while True:
        waiting = kind.waiting.exclude(pk__in=left).order_by("retries", "pk")
        pk = waiting.values_list("pk", flat=True).first()
        if pk is None:
            return taken
        if job_work(kind.name, pk):
            taken += 1
        else:
            left.add(pk)


def carry_out(claim: Claim) -> None:
    """Do the work of a claim, and end it one way or another."""
    kind, row = claim.kind, claim.row
    try:
        try:
            with listening(claim.hear) if kind.hears else nullcontext():
                changes = kind.work(claim)
            if not claim.over:
                claim.close(**(changes or {}))
        except (Lost, *AWAY):
            raise
        except Exception as error:  # stored in the row; the log has the traceback
            logger.warning("The %s %s failed", kind.name, row, exc_info=error)
            claim.fail(kind.why(row, error))
    except Lost:
        _leave(claim)
        return
    except AWAY as error:
        if row.retries < RETRIES:
            claim.put_back()
        else:
            with suppress(Lost, *AWAY):
                claim.fail(reason(error))
        raise
    clean(kind, row)


def _leave(claim: Claim) -> None:
    """Clean up after a job that was cancelled under this attempt, or removed."""
    kind, process = claim.kind, process_name()
    row = kind.rows.filter(pk=claim.row.pk).first()
    if row is None:
        clean(kind, claim.row)
    elif row.status == kind.cancelled and row.worker == process:
        cleaned(kind, row)


def cleaned(kind: Kind, row: Any) -> None:
    """Remove the files of a job that was cancelled under an attempt which has stopped."""
    clean(kind, row)
    kind.rows.filter(pk=row.pk, status=kind.cancelled, worker=row.worker).update(worker="")


def clean(kind: Kind, row: Any) -> None:
    """Remove the files of a job that is over; what cannot be removed now is removed in time."""
    try:
        kind.clean(row)
    except OSError as error:
        logger.warning("Files of the %s %s stay for now: %s", kind.name, row, error)


def cancel(kind: Kind, row: Any) -> bool:
    """End a job that waits or is at work, in the caller's transaction; whether it was one.

    An attempt at work stops when it next says how far it is, and removes the files.
    """
    over = {"status": kind.cancelled, "token": "", "finished_at": Now(), **columns("error", "")}
    if kind.waiting.filter(pk=row.pk).update(**over, worker=""):
        row.status = kind.cancelled
        transaction.on_commit(partial(clean, kind, row))
        return True
    return bool(kind.at_work.filter(pk=row.pk).update(**over))


def again(kind: Kind, row: Any, **changes: Any) -> bool:
    """Let a job that failed or was cancelled wait once more, in the caller's transaction; whether
    it does. One that an attempt has not left yet does not."""
    ended = kind.rows.filter(pk=row.pk, status__in=[kind.failed, kind.cancelled], worker="")
    back = ended.update(
        status=kind.queued,
        token="",
        attempts=0,
        retries=0,
        not_before=None,
        started_at=None,
        finished_at=None,
        **columns("error", ""),
        **changes,
    )
    if back:
        kind.notify(row.pk)
    return bool(back)


# Take back what dead processes held, and wake workers for what waits.
#
# Every worker does so on its timer, at the same time as others: each change is a compare-and-set.


class ProcessWatch(Protocol):
    """Who may still be at work."""

    def is_gone(self, process: str, *, old: bool) -> bool:
        """Whether the process has died; `old`: its claim is older than DEAD_AFTER."""


def take_back(kind: Kind, owners: ProcessWatch, *, idle: bool) -> int:
    """Let the work of dead processes wait again; how many rows did.

    `idle`: the worker that asks has nothing to do, so what its own processes hold they have given
    up. A job that has taken down `kind.attempts` processes fails.
    """
    taken = 0
    since = kind.at_work.annotate(beat=Coalesce("heartbeat", "started_at"), now=Now())
    for one in since.values("pk", "worker", "token", "attempts", "retries", "beat", "now"):
        process, beat = one["worker"], one["beat"]
        # One that is ahead was written before the clock was set back.
        old = beat is None or abs(one["now"] - beat) > DEAD_AFTER
        died = owners.is_gone(process, old=old)
        if not died and not _given_up(process, idle):
            continue
        row = kind.at_work.filter(pk=one["pk"], worker=process, token=one["token"])
        if died and one["attempts"] >= kind.attempts:
            _fail(kind, row, one["pk"], one["attempts"])
            continue
        with short_write():
            if back(kind, row, one["retries"], blameless=not died):
                kind.notify(one["pk"])
                taken += 1
    for row in kind.rows.filter(status=kind.cancelled).exclude(worker=""):
        if owners.is_gone(row.worker, old=True) or _given_up(row.worker, idle):
            cleaned(kind, row)
    return taken


def _given_up(process: str, idle: bool) -> bool:
    return idle and process.rpartition("/")[0] == worker_name()


def _fail(kind: Kind, held: Any, pk: int, attempts: int) -> None:
    with short_write():
        failed = held.update(
            status=kind.failed,
            worker="",
            token="",
            finished_at=Now(),
            **columns("error", ended(attempts)),
        )
    if failed and (row := kind.rows.filter(pk=pk).first()):
        clean(kind, row)


def give_back(process: str) -> int:
    """Let everything wait again that processes whose names begin so have claimed; how many rows.

    The attempts do not count: nothing is to blame for a stop. Nobody may be at the work any more.
    """
    rows = 0
    with short_write():
        for kind in KINDS.values():
            rows += kind.at_work.filter(worker__startswith=process).update(
                status=kind.queued,
                worker="",
                token="",
                attempts=UNCOUNTED,
                **kind.blameless,
            )
    return rows


def wake_due(kinds: Iterable[Kind]) -> int:
    """Wake workers for what was put back and may be tried again; how many."""
    n = 0
    for kind in kinds:
        due = kind.waiting.filter(due_now(), not_before__isnull=False)
        for pk in due.values_list("pk", flat=True):
            with short_write():
                if due.filter(pk=pk).update(not_before=None):
                    kind.notify(pk)
                    n += 1
    return n


def wake_waiting(kinds: Iterable[Kind]) -> int:
    """Wake workers for all that waits; how many. For an idle worker: the messages are lost."""
    n = 0
    stopped = _paused()
    for kind in kinds:
        if kind.goes_on or kind.name in stopped:
            continue
        now = kind.waiting.filter(Q(not_before=None))
        for pk in now.values_list("pk", flat=True):
            kind.notify(pk)
            n += 1
    return n

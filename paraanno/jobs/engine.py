"""Claim a job, carry it out, close it: safe to repeat, to kill and to freeze.

Every step is a compare-and-set on the row's token. An attempt that lost its token (its worker was
silent for too long, or somebody cancelled or removed the job) meets `Lost`: it can neither close
the job nor touch its files. What it writes has a name of its own until a row names it.
"""

from __future__ import annotations

import logging
import time
from contextlib import nullcontext, suppress
from datetime import timedelta
from functools import partial
from secrets import token_hex
from typing import Any, Final

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest, Now

from annotation.models import PausedWork
from annotation.services.transactions import short_write
from paraanno.jobs.kinds import KINDS, Kind
from paraanno.jobs.process import process_name
from paraanno.jobs.reasons import reason
from paraanno.plain.progress import listening
from paraanno.plain.sentence_columns import columns

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
        status=kind.queued, worker="", token="", retries=F("retries") + 1,
        not_before=Now() + timedelta(seconds=seconds) if seconds else None, **more,
    )  # fmt: skip


def paused(kind: Kind) -> bool:
    """Whether somebody has paused this kind of work."""
    return PausedWork.objects.filter(name=kind.name).exists()


def claim(kind: Kind, pks: list[int], **changes: Any) -> str:
    """Claim those of the rows that wait; return the token of those that are now this process's."""
    token = token_hex(16)
    with short_write():
        rows = kind.waiting.filter(pk__in=pks).update(
            status=kind.running, worker=process_name(), token=token, attempts=F("attempts") + 1,
            heartbeat=Now(), started_at=Now(), not_before=None, **changes,
        )  # fmt: skip
    return token if rows else ""


def job_work(name: str, pk: int) -> bool:
    """Carry out a job that waits; whether this process did it. Messages may come twice or late."""
    settle()
    kind = KINDS[name]
    due = kind.waiting.filter(Q(not_before=None) | Q(not_before__lte=Now()), pk=pk)
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
        status=kind.queued, token="", attempts=0, retries=0, not_before=None, started_at=None,
        finished_at=None, **columns("error", ""), **changes,
    )  # fmt: skip
    if back:
        kind.notify(row.pk)
    return bool(back)

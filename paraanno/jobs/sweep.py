"""Take back what dead processes held, and wake workers for what waits.

Every worker does so on its timer, at the same time as others: each change is a compare-and-set.
"""

from __future__ import annotations

from typing import Any, Protocol

from django.db.models import Q
from django.db.models.functions import Coalesce, Now

from annotation.models import PausedWork
from annotation.services.transactions import short_write
from paraanno.jobs.engine import UNCOUNTED, back, clean, cleaned
from paraanno.jobs.kinds import KINDS, Kind
from paraanno.jobs.process import DEAD_AFTER, worker_name
from paraanno.jobs.reasons import ended
from paraanno.plain.sentence_columns import columns


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
        process, old = one["worker"], one["beat"] is None or one["beat"] < one["now"] - DEAD_AFTER
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
            status=kind.failed, worker="", token="", finished_at=Now(),
            **columns("error", ended(attempts)),
        )  # fmt: skip
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
                status=kind.queued, worker="", token="", attempts=UNCOUNTED,
                **kind.blameless,
            )  # fmt: skip
    return rows


def wake_due() -> int:
    """Wake workers for what was put back and may be tried again; how many."""
    n = 0
    for kind in KINDS.values():
        due = kind.waiting.filter(not_before__lte=Now())
        for pk in due.values_list("pk", flat=True):
            with short_write():
                if due.filter(pk=pk).update(not_before=None):
                    kind.notify(pk)
                    n += 1
    return n


def wake_waiting() -> int:
    """Wake workers for all that waits; how many. For an idle worker: the messages are lost."""
    n = 0
    stopped = set(PausedWork.objects.values_list("name", flat=True))
    for kind in KINDS.values():
        if kind.goes_on or kind.name in stopped:
            continue
        now = kind.waiting.filter(Q(not_before=None))
        for pk in now.values_list("pk", flat=True):
            kind.notify(pk)
            n += 1
    return n

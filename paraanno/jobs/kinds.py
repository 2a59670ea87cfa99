"""Kinds of jobs: what one does, what it may cost, how it goes on, what it cleans up.

Apps register theirs when they start (`annotation/jobs.py`, `scoring/jobs.py`); what does the work
takes long to load, and is named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet

from paraanno.jobs.reasons import reason
from paraanno.jobs.row import JobRow, JobStatus
from paraanno.jobs.workers import workers

if TYPE_CHECKING:
    from paraanno.jobs.engine import Claim

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
    hears     its loops say how far it is (paraanno/plain/progress.py), not its own `tell`
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


def register(*kinds: Kind) -> None:
    """Add kinds of jobs; each joins sweep, lists, and the tests of all kinds."""
    KINDS.update({kind.name: kind for kind in kinds})

"""Chunks of runs, each claimed by one process by compare-and-set."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from annotation.services.transactions import short_write
from scoring.metrics.base import Metric
from scoring.models import Run, RunChunk
from scoring.services.workers import process_name

# After so many attempts on the whole chunk its texts are scored one at a time.
TOGETHER = 3
CANDIDATES = 8


@dataclass(frozen=True, slots=True)
class Ready:
    """A run at work with its metric, loaded."""

    run: Run
    metric: Metric[Any]


@dataclass(frozen=True, slots=True)
class Claim:
    """A chunk that this process has made its own."""

    run: Run
    metric: Metric[Any]
    chunk: RunChunk

    @property
    def mine(self) -> QuerySet[RunChunk]:
        """The chunk, as long as this very claim on it stands: each one counts up `attempts`.

        (`claimed_at` would not do: SQLite writes fewer decimals than Django compares.)
        """
        return RunChunk.objects.filter(
            pk=self.chunk.pk,
            status=RunChunk.Status.RUNNING,
            worker=self.chunk.worker,
            attempts=self.chunk.attempts,
        )


def chunks_claim(ready: Sequence[Ready]) -> list[Claim]:
    """Make a waiting chunk of the first run this process's own, and with it the waiting chunks of
    the other runs over the very same items, so that what the metrics make of a text is made once.

    Empty where the first run has none waiting. A chunk that was tried before goes alone: others
    must not suffer for what it may do to its process.
    """
    lead, *others = ready
    chunk = _claim_next(lead.run)
    if chunk is None:
        return []
    claims = [Claim(lead.run, lead.metric, chunk)]
    if chunk.attempts > 1 or not others:
        return claims
    like = RunChunk.objects.filter(
        run_id__in=[one.run.pk for one in others],
        first_item=chunk.first_item, last_item=chunk.last_item, total=chunk.total, attempts=0,
        status=RunChunk.Status.QUEUED,
    )  # fmt: skip
    waiting = list(like.values_list("pk", flat=True))
    if waiting:
        _take(waiting)
    mine = RunChunk.objects.filter(
        pk__in=waiting, status=RunChunk.Status.RUNNING, worker=process_name(), attempts=1
    )
    by_run = {one.run.pk: one for one in others}
    for found in mine:
        claims.append(Claim(by_run[found.run_id].run, by_run[found.run_id].metric, found))
    return sorted(claims, key=lambda one: (one.chunk.pk != chunk.pk, one.run.pk))


def _claim_next(run: Run) -> RunChunk | None:
    while True:
        waiting = list(
            RunChunk.objects.filter(run_id=run.pk, status=RunChunk.Status.QUEUED)
            .order_by("number")
            .values_list("pk", flat=True)[:CANDIDATES]
        )
        if not waiting:
            return None
        # Processes begin at different candidates, so that they rarely want the same one.
        turn = os.getpid() % len(waiting)
        for pk in waiting[turn:] + waiting[:turn]:
            if _take([pk]):
                return RunChunk.objects.get(pk=pk)


def _take(chunks: list[int]) -> int:
    """Compare-and-set on this table alone: a look at the run's row beside it would be made once
    at the beginning, and two processes would both succeed. A run that is over has no chunk that
    waits: it cancels them in the same transaction."""
    return RunChunk.objects.filter(pk__in=chunks, status=RunChunk.Status.QUEUED).update(
        status=RunChunk.Status.RUNNING,
        worker=process_name(),
        claimed_at=Now(),
        attempts=F("attempts") + 1,
    )


def claim_give_back(claim: Claim, error: Exception) -> None:
    """Let the chunk be tried again; one that breaks even text by text has failed."""
    last = claim.chunk.attempts > TOGETHER
    with short_write():
        claim.mine.update(
            status=RunChunk.Status.FAILED if last else RunChunk.Status.QUEUED,
            error=told(error),
        )


def told(error: Exception) -> str:
    """What an exception says, as every database can store it."""
    text = f"{type(error).__name__}: {error}".replace("\0", "?")
    return text.encode("utf-8", "replace").decode()


def claim_release(claim: Claim) -> None:
    """Give back a chunk for which the database failed: no attempt, and no text is to blame.

    Where the database is still away, the sweep does it later.
    """
    try:
        with short_write():
            claim.mine.update(
                status=RunChunk.Status.QUEUED, suspect=None, attempts=F("attempts") - 1
            )
    except DatabaseError:
        return

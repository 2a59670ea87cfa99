"""Claims: a process takes a chunk of a run by compare-and-set; services/sweep.py releases the
claims of dead ones."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from annotation.services.transactions import short_write
from paraanno.plain.sentence_columns import columns, told
from scoring.metrics.base import Metric
from scoring.models import Run, RunChunk
from scoring.services.workers.heartbeats import process_name

# After so many attempts its texts are scored one at a time.
TOGETHER = 3
CANDIDATES = 8


@dataclass(frozen=True, slots=True)
class Ready:
    """An active run with its metric, loaded."""

    run: Run
    metric: Metric[Any]


@dataclass(frozen=True, slots=True)
class Claim:
    """A chunk that this process has claimed."""

    run: Run
    metric: Metric[Any]
    chunk: RunChunk

    @property
    def mine(self) -> QuerySet[RunChunk]:
        """The chunk while this claim holds: every claim increments `attempts`.

        (`claimed_at` cannot identify it: SQLite stores fewer decimals than Django compares.)
        """
        return RunChunk.objects.filter(
            pk=self.chunk.pk,
            status=RunChunk.Status.RUNNING,
            worker=self.chunk.worker,
            attempts=self.chunk.attempts,
        )


def chunks_claim(ready: Sequence[Ready]) -> list[Claim]:
    """Claim a waiting chunk of the first run, and the waiting chunks of the other runs over the
    same items, so that the metrics share cached analyses of the texts.

    Empty if the first run has none waiting. A chunk that was tried before is claimed alone, because
    it may crash the process.
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
    claims += [Claim(by_run[one.run_id].run, by_run[one.run_id].metric, one) for one in mine]
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
        # Processes start at different candidates, so that they rarely race for the same one.
        turn = os.getpid() % len(waiting)
        for pk in waiting[turn:] + waiting[:turn]:
            if _take([pk]):
                return RunChunk.objects.get(pk=pk)


def _take(chunks: list[int]) -> int:
    """Claim by compare-and-set on this table alone. A joined condition on the run's row would be
    evaluated once at the beginning, and two processes could both succeed. A run that is over has no
    waiting chunks: it cancels them in the same transaction."""
    return RunChunk.objects.filter(pk__in=chunks, status=RunChunk.Status.QUEUED).update(
        status=RunChunk.Status.RUNNING,
        worker=process_name(),
        claimed_at=Now(),
        attempts=F("attempts") + 1,
    )


def claim_give_back(claim: Claim, error: Exception) -> None:
    """Requeue the chunk; one that fails even text by text has failed."""
    last = claim.chunk.attempts > TOGETHER
    with short_write():
        claim.mine.update(
            status=RunChunk.Status.FAILED if last else RunChunk.Status.QUEUED,
            **columns("error", told(error)),
        )


def claim_release(claim: Claim) -> None:
    """Release a chunk after a database error: it counts as no attempt, and no text is to blame.

    If the database is still unavailable, the sweep does it later.
    """
    try:
        with short_write():
            claim.mine.update(
                status=RunChunk.Status.QUEUED, suspect=None, attempts=F("attempts") - 1
            )
    except DatabaseError:
        return

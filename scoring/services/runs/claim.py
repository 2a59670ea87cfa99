"""Claims of chunks: several runs over the same texts at a time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.services.transactions import short_write
from paraanno.jobs.engine import Claim, claim
from paraanno.plain.sentence_columns import columns, told
from scoring.jobs import CHUNK
from scoring.metrics.base import Metric
from scoring.models import Run, RunChunk

# After so many attempts its texts are scored one at a time.
TOGETHER = 3
CANDIDATES = 8


@dataclass(frozen=True, slots=True)
class Ready:
    """An active run with its metric, loaded."""

    run: Run
    metric: Metric[Any]


class ChunkClaim(Claim):
    """A chunk that this process has claimed."""

    def __init__(self, ready: Ready, chunk: RunChunk) -> None:
        super().__init__(CHUNK, chunk, chunk.token)
        self.run, self.metric, self.chunk = ready.run, ready.metric, chunk


def chunks_claim(ready: Sequence[Ready]) -> list[ChunkClaim]:
    """Claim a waiting chunk of the first run, and the waiting chunks of the other runs over the
    same items, so that the metrics share cached analyses of the texts.

    Empty if the first run has none waiting. A chunk that was tried before is claimed alone, because
    it may crash the process.
    """
    lead, *others = ready
    chunk = _claim_next(lead.run)
    if chunk is None:
        return []
    claims = [ChunkClaim(lead, chunk)]
    if chunk.attempts > 1 or not others:
        return claims
    like = RunChunk.objects.filter(
        run_id__in=[one.run.pk for one in others],
        first_item=chunk.first_item, last_item=chunk.last_item, total=chunk.total, attempts=0,
        status=RunChunk.Status.QUEUED,
    )  # fmt: skip
    waiting = list(like.values_list("pk", flat=True))
    token = claim(CHUNK, waiting) if waiting else ""
    rows = RunChunk.objects.filter(pk__in=waiting, token=token) if token else ()
    by_run = {one.run.pk: one for one in others}
    claims += [ChunkClaim(by_run[row.run_id], row) for row in rows]
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
            # On this table alone: a condition on the run would be evaluated once at the beginning,
            # and two processes could both succeed. A run that is over has no waiting chunks.
            if claim(CHUNK, [pk]):
                return RunChunk.objects.get(pk=pk)


def claim_give_back(claim: ChunkClaim, error: Exception) -> None:
    """Requeue the chunk after an error of the metric; one that fails text by text has failed."""
    last = claim.chunk.attempts > TOGETHER
    with short_write():
        claim.held.update(
            status=RunChunk.Status.FAILED if last else RunChunk.Status.QUEUED, worker="", token="",
            **columns("error", told(error)),
        )  # fmt: skip

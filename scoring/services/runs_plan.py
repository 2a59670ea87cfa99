"""The chunks of a run, and waking the workers for them."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.models import Run, RunChunk
from scoring.services.bell import RUN_WORK, ring
from scoring.services.runs_texts import ItemRange
from scoring.services.workers import processes_for


def chunks_plan(*, run: Run, ranges: Sequence[ItemRange], first_number: int = 0) -> None:
    """Write down the chunks and wake the workers; in the transaction that sets the run to work."""
    RunChunk.objects.bulk_create(
        RunChunk(
            run=run, number=number, first_item=part.first, last_item=part.last, total=part.total
        )
        for number, part in enumerate(ranges, first_number)
    )
    wake(run=run, chunks=len(ranges))


def wake(*, run: Run, chunks: int) -> None:
    """Ring for chunks that wait, and once at least: the run must be finished too.

    Each message that leaves more to do sends the next one, so as many as there are processes
    keep all of them at work.
    """
    times = max(1, min(chunks, processes_for(run.queue)))
    ring(RUN_WORK, run.pk, queue=run.queue, times=times)

"""Planning the chunks of a run, and notifying workers of them."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.models import Run, RunChunk
from scoring.selectors.workers import processes_for
from scoring.services.runs.texts import ItemRange
from scoring.services.workers.notify import RUN_WORK, notify_workers


def chunks_plan(*, run: Run, ranges: Sequence[ItemRange], first_number: int = 0) -> None:
    """Create the chunks and notify workers; call it in the transaction that starts the run."""
    RunChunk.objects.bulk_create(
        RunChunk(
            run=run, number=number, first_item=part.first, last_item=part.last, total=part.total
        )
        for number, part in enumerate(ranges, first_number)
    )
    wake(run=run, chunks=len(ranges))


def wake(*, run: Run, chunks: int) -> None:
    """Notify workers of waiting chunks, at least once: the run must be finished too.

    A task that leaves work behind sends the next message, so one message per process keeps all of
    them busy.
    """
    times = max(1, min(chunks, processes_for(run.queue)))
    notify_workers(RUN_WORK, run.pk, queue=run.queue, times=times)


def chunk_wake(chunk: int) -> None:
    """Notify a worker of the run of a chunk, which is to be scored again or has failed."""
    for run in Run.objects.filter(chunks=chunk).values_list("pk", flat=True):
        run_wake(run)


def run_wake(pk: int) -> None:
    """Notify a worker of a run."""
    for queue in Run.objects.filter(pk=pk).values_list("queue", flat=True):
        notify_workers(RUN_WORK, pk, queue=queue)

"""Chunks of a run: claimed by one process, computed outside any transaction, stored in one."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError
from django.db.models import F
from django.db.models.functions import Now

from annotation.services.transactions import short_write
from scoring.metrics.base import Metric, Pair
from scoring.metrics.base import Score as Value
from scoring.models import Run, RunChunk, Score
from scoring.services.bell import RUN_WORK, ring
from scoring.services.runs import run_count
from scoring.services.runs_texts import chunk_pairs
from scoring.services.workers import process_name

logger = logging.getLogger(__name__)

# After so many attempts on the whole chunk its texts are scored one at a time.
TOGETHER = 3
# What begins the reason of a text on which the metric broke, apart from one without a value.
FAILED = "Scoring failed"
CANDIDATES = 8


@dataclass(frozen=True, slots=True)
class Found:
    substitution: int
    score: Value

    @property
    def failed(self) -> bool:
        return self.score.reason.startswith(FAILED)


def chunk_claim(*, run: Run) -> RunChunk | None:
    """Make one waiting chunk this process's own; None where none waits."""
    me = process_name()
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
            claimed = RunChunk.objects.filter(
                pk=pk, status=RunChunk.Status.QUEUED, run__status=Run.Status.RUNNING
            ).update(
                status=RunChunk.Status.RUNNING,
                worker=me,
                claimed_at=Now(),
                attempts=F("attempts") + 1,
            )
            if claimed:
                return RunChunk.objects.get(pk=pk)
        if not Run.objects.filter(pk=run.pk, status=Run.Status.RUNNING).exists():
            return None


def chunk_score(*, run: Run, chunk: RunChunk, metric: Metric[Any]) -> bool:
    """Score a claimed chunk and store the values; False where they were not stored.

    Not stored are the values of a chunk that was cancelled or given to another process meanwhile,
    and those of a chunk on which the metric broke: it goes back, and from the fourth attempt on
    its texts are scored one at a time, so that the failing ones are known by name.
    """
    try:
        ids, pairs = chunk_pairs(run=run, chunk=chunk)
        found: list[Found] | None
        if chunk.attempts > TOGETHER:
            found = _one_at_a_time(run, chunk, metric, ids, pairs)
        else:
            values = metric.score_many(pairs)
            found = [Found(pk, value) for pk, value in zip(ids, values, strict=True)]
    except DatabaseError:
        raise  # The sweep puts the chunk back: this is not the metric's fault.
    except Exception as error:
        logger.exception("Chunk %s of run %s, attempt %s", chunk.number, run.pk, chunk.attempts)
        _give_back(chunk, error)
        return False
    return found is not None and _store(run, chunk, found)


def _store(run: Run, chunk: RunChunk, found: list[Found]) -> bool:
    with short_write():
        if not _run_goes_on(run):
            return False
        failed = [one for one in found if one.failed]
        mine = _mine(chunk).update(
            status=RunChunk.Status.DONE,
            done=len(found),
            failed=len(failed),
            suspect=None,
            error=failed[0].score.reason if failed else "",
        )
        if mine:
            _upsert(run, found)
            run_count(run_pk=run.pk)
    return bool(mine)


def _run_goes_on(run: Run) -> bool:
    """Touch the run's row, which also makes the workers of one run take turns in writing."""
    going = Run.objects.filter(pk=run.pk, status=Run.Status.RUNNING)
    return bool(going.update(heartbeat=Now()))


def _mine(chunk: RunChunk) -> Any:
    """The chunk, as long as this very claim on it stands: each one counts up `attempts`.

    (`claimed_at` would not do: SQLite writes fewer decimals than Django compares.)
    """
    return RunChunk.objects.filter(
        pk=chunk.pk,
        status=RunChunk.Status.RUNNING,
        worker=chunk.worker,
        attempts=chunk.attempts,
    )


def _upsert(run: Run, found: Iterable[Found]) -> None:
    Score.objects.bulk_create(
        (
            Score(
                run_id=run.pk,
                substitution_id=one.substitution,
                value=one.score.value,
                reason=one.score.reason,
            )
            for one in found
        ),
        update_conflicts=True,
        unique_fields=["run", "substitution"],
        update_fields=["value", "reason"],
    )


def _give_back(chunk: RunChunk, error: Exception) -> None:
    """Let the chunk be tried again; one that breaks even text by text has failed."""
    last = chunk.attempts > TOGETHER
    with short_write():
        mine = _mine(chunk).update(
            status=RunChunk.Status.FAILED if last else RunChunk.Status.QUEUED,
            error=f"{type(error).__name__}: {error}",
        )
        if mine and not last:
            ring(RUN_WORK, chunk.run_id)


def _one_at_a_time(
    run: Run, chunk: RunChunk, metric: Metric[Any], ids: list[int], pairs: list[Pair]
) -> list[Found] | None:
    """Each text for itself, stored at once; None where the chunk is not ours any more.

    The text about to be scored is written down first. Where the process ended on one (out of
    memory, a crash in a library), the next attempt finds its name and passes it over.
    """
    known = {
        pk: Value(value, reason)
        for pk, value, reason in Score.objects.filter(
            run_id=run.pk, substitution_id__in=ids
        ).values_list("substitution_id", "value", "reason")
    }
    found = []
    for pk, pair in zip(ids, pairs, strict=True):
        if pk not in known:
            if not _mine(chunk).update(suspect=pk):
                return None
            known[pk] = (
                Value.undefined(f"{FAILED}: the worker process ended on this text.")
                if pk == chunk.suspect
                else _score_alone(metric, pair)
            )
            with short_write():
                if not (_run_goes_on(run) and _mine(chunk).exists()):
                    return None
                _upsert(run, [Found(pk, known[pk])])
        found.append(Found(pk, known[pk]))
    return found


def _score_alone(metric: Metric[Any], pair: Pair) -> Value:
    try:
        return metric.score(pair)
    except Exception as error:
        logger.exception("One text of a run cannot be scored")
        return Value.undefined(f"{FAILED}: {type(error).__name__}: {error}")

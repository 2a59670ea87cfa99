"""What a worker does for a run: the next step, whatever it is. Every step is safe to repeat."""

from __future__ import annotations

import json
import logging
from functools import lru_cache
from typing import Any

from django.db import DatabaseError
from django.db.models import F
from django.db.models.functions import Coalesce, Now

from annotation.services.transactions import short_write
from scoring.metrics.base import Metric, state_hash
from scoring.models import Run, RunChunk
from scoring.services.bell import RUN_WORK, ring
from scoring.services.runs import MOST_BELLS, run_signature
from scoring.services.runs_chunks import chunk_claim, chunk_score
from scoring.services.runs_finish import run_fail, run_finish
from scoring.services.runs_resources import metric_create
from scoring.services.runs_texts import all_pairs, item_ranges
from scoring.services.workers import process_name

logger = logging.getLogger(__name__)


def run_work(*, run_pk: int) -> None:
    """Take one step of a run: prepare it, score a chunk, or finish it.

    Quiet where there is nothing to do: a message may come twice or late.
    """
    run = Run.objects.defer("state").filter(pk=run_pk).first()
    if run is None:
        return
    if run.status == Run.Status.QUEUED:
        run_prepare(run=run)
    elif run.status == Run.Status.RUNNING:
        metric = _same_metric(run)
        if metric is None:
            return
        chunk = chunk_claim(run=run)
        if chunk is not None:
            chunk_score(run=run, chunk=chunk, metric=metric)
        run_finish(run=run, metric=metric)


def run_prepare(*, run: Run) -> bool:
    """Cut a queued run into chunks, after the metric has seen all texts if it needs to.

    Returns False where another worker was first, or the metric cannot be prepared (the run
    has then failed and says why).
    """
    claimed = Run.objects.filter(pk=run.pk, status=Run.Status.QUEUED).update(
        status=Run.Status.PREPARING,
        worker=process_name(),
        started_at=Coalesce(F("started_at"), Now()),
        heartbeat=Now(),
    )
    if not claimed:
        return False
    try:
        metric = metric_create(run.metric, run.options)
        metric.load()
        state = metric.prepare(all_pairs(run=run, size=2000)) if metric.needs_state else None
        metric.use(state)
    except DatabaseError:
        raise  # The sweep puts the run back: this is not the metric's fault.
    except Exception as error:
        logger.exception("Run %s cannot be prepared", run.pk)
        run_fail(run=run, error=f"{run.metric} cannot be prepared: {_named(error)}")
        return False
    return _write_plan(run, metric, state)


def _write_plan(run: Run, metric: Metric[Any], state: Any) -> bool:
    ranges = item_ranges(run=run, size=metric.chunk_size)
    with short_write():
        mine = Run.objects.filter(
            pk=run.pk, status=Run.Status.PREPARING, worker=process_name()
        ).update(
            status=Run.Status.RUNNING,
            worker="",
            heartbeat=Now(),
            total=sum(part.total for part in ranges),
            state=state,
            state_hash=state_hash(state),
            signature=run_signature(metric, run.scope),
        )
        if not mine:
            return False
        RunChunk.objects.bulk_create(
            RunChunk(
                run=run, number=number, first_item=part.first, last_item=part.last,
                total=part.total,
            )
            for number, part in enumerate(ranges)
        )  # fmt: skip
        # One at least: it finishes a run whose texts have gone.
        ring(RUN_WORK, run.pk, times=min(max(len(ranges), 1), MOST_BELLS))
    return True


def metric_for(run: Run) -> Metric[Any]:
    """The metric of a run, ready to score; kept for the next chunks of this process."""
    return _loaded(run.metric, json.dumps(run.options, sort_keys=True), run.state_hash, run.pk)


@lru_cache(maxsize=8)
def _loaded(name: str, options: str, state: str, run_pk: int) -> Metric[Any]:
    metric = metric_create(name, json.loads(options))
    if state:
        metric.use(Run.objects.values_list("state", flat=True).get(pk=run_pk))
    return metric


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _same_metric(run: Run) -> Metric[Any] | None:
    """The metric as it was when the run began; without it the run fails, saying why."""
    try:
        metric = metric_for(run)
    except ValueError as error:
        run_fail(run=run, error=str(error))
        return None
    signature = run_signature(metric, run.scope)
    if signature == run.signature:
        return metric
    run_fail(
        run=run,
        error=f"This worker would score with {signature}, but the run began with {run.signature}. "
        "Numbers of the two must not be mixed: start a new run.",
    )
    return None

"""What a worker does for a run: the next step, whatever it is. Every step is safe to repeat."""

from __future__ import annotations

import json
import logging
import os
import time
from functools import lru_cache
from typing import Any

from django.db import DatabaseError
from django.db.models import F
from django.db.models.functions import Coalesce, Now

from annotation.services.transactions import short_write
from scoring.metrics.base import MADE_EARLIER, Metric, state_hash
from scoring.models import Run, RunChunk
from scoring.services.bell import RUN_WORK, ring
from scoring.services.runs import run_signature
from scoring.services.runs_chunks import claims_score
from scoring.services.runs_claim import Ready, chunks_claim, told
from scoring.services.runs_finish import run_fail, runs_finish
from scoring.services.runs_plan import chunks_plan
from scoring.services.runs_resources import metric_create
from scoring.services.runs_texts import Frame, all_pairs, item_ranges
from scoring.services.workers import process_name

logger = logging.getLogger(__name__)

# A message is worth so many seconds of scoring; then other messages have their turn.
STINT = 1.0


def run_work(*, run_pk: int) -> None:
    """Take a step of a run: prepare it, or score its chunks for about a second and finish it
    after the last one.

    Quiet where there is nothing to do: a message may come twice or late.
    """
    run = Run.objects.defer("state").filter(pk=run_pk).first()
    if run is None:
        return
    if run.status == Run.Status.QUEUED:
        run_prepare(run=run)
    elif run.status == Run.Status.RUNNING:
        _work_on(run)


def _work_on(run: Run) -> None:
    ready = _ready(run)
    if not ready:
        return
    begun = Run.objects.filter(pk__in=[one.run.pk for one in ready], resumed_at=None)
    begun.update(resumed_at=Now())
    end = time.monotonic() + STINT
    while claims := chunks_claim(ready):
        claims_score(claims)
        if time.monotonic() > end:
            break
    # Processes that are done together begin with different runs.
    turn = os.getpid() % len(ready)
    runs_finish(ready=ready[turn:] + ready[:turn])
    if RunChunk.objects.filter(run_id=run.pk, status=RunChunk.Status.QUEUED).exists():
        ring(RUN_WORK, run.pk, queue=run.queue)


def _ready(run: Run) -> list[Ready]:
    """The run, and the others at work on the same texts; empty where the run itself cannot go on.

    Only runs of its queue: others may need what this worker does not have.
    """
    metric = _same_metric(run)
    if metric is None:
        return []
    others = Run.objects.defer("state").filter(
        campaign_id=run.campaign_id, scope=run.scope, queue=run.queue,
        last_substitution=run.last_substitution, last_reference=run.last_reference,
        status=Run.Status.RUNNING,
    )  # fmt: skip
    ready = [Ready(run, metric)]
    for other in others.exclude(pk=run.pk).order_by("pk"):
        metric = _same_metric(other)
        if metric is not None:
            ready.append(Ready(other, metric))
    return ready


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
        pairs = all_pairs(frame=Frame.of(run), size=2000, groups=metric.grouped)
        state = metric.prepare(pairs) if metric.needs_state else None
        metric.use(state)
    except DatabaseError:
        raise  # The sweep puts the run back: this is not the metric's fault.
    except Exception as error:
        logger.exception("Run %s cannot be prepared", run.pk)
        run_fail(run=run, error=f"{run.metric} cannot be prepared: {told(error)}")
        return False
    return _write_plan(run, metric, state)


def _write_plan(run: Run, metric: Metric[Any], state: Any) -> bool:
    ranges = item_ranges(frame=Frame.of(run), size=metric.chunk_size)
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
        chunks_plan(run=run, ranges=ranges)
    return True


def metric_for(run: Run) -> tuple[Metric[Any], str]:
    """The metric of a run, ready to score, and its signature; kept for the next chunks of this
    process."""
    state_of = run.pk if run.state_hash else None
    options = json.dumps(run.options, sort_keys=True)
    return _loaded(run.metric, options, run.scope, run.state_hash, state_of)


@lru_cache(maxsize=32)
def _loaded(
    name: str, options: str, scope: str, _state: str, run_pk: int | None
) -> tuple[Metric[Any], str]:
    metric = metric_create(name, json.loads(options))
    if run_pk is not None:
        metric.use(Run.objects.values_list("state", flat=True).get(pk=run_pk))
    return metric, run_signature(metric, scope)


def _same_metric(run: Run) -> Metric[Any] | None:
    """The metric as it was when the run began; without it the run fails, saying why."""
    try:
        metric, signature = metric_for(run)
    except ValueError as error:
        run_fail(run=run, error=str(error))
        return None
    if signature == run.signature and run.last_reference is not None:
        return metric
    run_fail(
        run=run,
        error=MADE_EARLIER
        if run.last_reference is None
        else f"This worker would score with {signature}, but the run began with {run.signature}. "
        "Numbers of the two must not be mixed: start a new run.",
    )
    return None

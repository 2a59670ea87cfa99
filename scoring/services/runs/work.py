"""Work on a run: prepare, score or finish it. Every step is idempotent, so a run resumes after a
kill."""

from __future__ import annotations

import json
import os
import time
from functools import lru_cache
from typing import Any

from django.db.models.functions import Now

from annotation.services.transactions import short_write
from paraanno.jobs.engine import Claim, job_work, paused, settle
from paraanno.jobs.reasons import reason
from paraanno.plain.sentence import said, say
from scoring.jobs import RUN
from scoring.metrics.base import MADE_EARLIER, Metric, state_hash
from scoring.models import Run, RunChunk
from scoring.services.runs.chunks import claims_score
from scoring.services.runs.claim import Ready, chunks_claim
from scoring.services.runs.finish import run_fail, runs_finish
from scoring.services.runs.plan import chunks_plan
from scoring.services.runs.resources import metric_of, metric_of_run
from scoring.services.runs.start import run_signature
from scoring.services.runs.texts import Frame, all_pairs, counts_of, item_ranges
from scoring.services.workers.notify import RUN_WORK, notify_workers

# Seconds of scoring per message; then other messages get their turn.
STINT = 1.0


def run_work(*, run_pk: int) -> None:
    """Do the next step of a run: prepare it, or score its chunks for about a second and finish it
    after the last one.

    A no-op if there is nothing to do: a message may come twice or late.
    """
    run = Run.objects.defer("state").filter(pk=run_pk).first()
    if run is None or paused(RUN):
        return
    settle()
    if run.status == Run.Status.QUEUED:
        job_work(RUN.name, run.pk)
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
    # Processes that finish at the same time start with different runs.
    turn = os.getpid() % len(ready)
    runs_finish(ready=ready[turn:] + ready[:turn])
    if RunChunk.objects.filter(run_id=run.pk, status=RunChunk.Status.QUEUED).exists():
        notify_workers(RUN_WORK, run.pk, queue=run.queue)


def _ready(run: Run) -> list[Ready]:
    """The run, and other active runs over the same texts; empty if the run itself cannot continue.

    Only runs of its queue: others may need libraries that this worker lacks.
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


def run_prepare(claim: Claim) -> None:
    """Let the metric see all texts if it needs to, then plan the chunks."""
    run: Run = claim.row
    frame = Frame.of(run)
    metric = metric_of_run(run)
    met = metric.met(counts_of(frame=frame))
    metric.load()
    pairs = all_pairs(frame=frame, size=2000, groups=metric.grouped)
    state = metric.prepare(pairs) if metric.needs_state else None
    metric.use(state)
    ranges = item_ranges(frame=frame, size=metric.chunk_size)
    with short_write():
        claim.close(
            total=sum(part.total for part in ranges), state=state, state_hash=state_hash(state),
            signature=run_signature(metric, run.scope), met=met.as_json(),
        )  # fmt: skip
        chunks_plan(run=run, ranges=ranges)


def run_why(run: Run, error: Exception) -> str:
    return say("%(metric)s cannot be prepared: %(why)s", metric=run.metric, why=reason(error))


def metric_for(run: Run) -> tuple[Metric[Any], str]:
    """The metric of a run, ready to score, and its signature; cached for the next chunks of this
    process."""
    state_of = run.pk if run.state_hash else None
    options = json.dumps(run.options, sort_keys=True)
    whose = run.campaign_id, run.created_by_id
    return _loaded(run.metric, options, run.scope, whose, run.state_hash, state_of)


@lru_cache(maxsize=32)
def _loaded(
    name: str, options: str, scope: str, whose: tuple[int, int | None], _state: str,
    run_pk: int | None,
) -> tuple[Metric[Any], str]:  # fmt: skip
    metric = metric_of(name, json.loads(options), *whose)
    if run_pk is not None:
        metric.use(Run.objects.values_list("state", flat=True).get(pk=run_pk))
    return metric, run_signature(metric, scope)


def _same_metric(run: Run) -> Metric[Any] | None:
    """The metric as it was when the run started; otherwise the run fails with the reason."""
    try:
        metric, signature = metric_for(run)
    except ValueError as error:
        run_fail(run=run, error=said(error))
        return None
    if signature == run.signature and run.last_reference is not None:
        return metric
    run_fail(
        run=run,
        error=MADE_EARLIER
        if run.last_reference is None
        else say(
            "This worker would score with %(now)s, but the run began with %(then)s. Numbers of the "
            "two must not be mixed: start a new run.",
            now=signature, then=run.signature,
        ),
    )  # fmt: skip
    return None

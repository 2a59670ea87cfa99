"""Score claimed chunks: texts are read once, scored outside any transaction, stored together."""

from __future__ import annotations

import json
import logging
import os
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.db import DatabaseError
from django.db.models.functions import Now

from annotation.database import short_write
from annotation.models import System
from paraanno.common.records import columns, error_sentence
from paraanno.common.texts import message_of, say
from paraanno.jobs.engine import Claim, job_work, paused, reason, settle
from scoring.jobs import RUN
from scoring.metrics.base import Metric
from scoring.metrics.values import MADE_EARLIER, NO_SCORES, Pair, Vector, add_vectors, state_hash
from scoring.metrics.values import Score as Value
from scoring.models import Run, RunChunk, Score, SystemScore
from scoring.runs.queries import newest_output
from scoring.runs.start import CANCELLED, OPEN_CHUNKS, run_count, run_signature
from scoring.runs.store import (
    WHOLE_CHUNK_ATTEMPTS,
    ChunkClaim,
    Ready,
    Scored,
    TextScore,
    chunks_claim,
    chunks_plan,
    claim_give_back,
    row_of,
    rows_of,
    score_store,
    scores_known,
    scores_store,
)
from scoring.runs.texts import (
    Frame,
    Makers,
    Texts,
    all_pairs,
    counts_of,
    item_ranges,
    items_between,
    metric_of,
    metric_of_run,
    read_texts,
    systems_of,
)
from scoring.work.workers import RUN_WORK, notify_workers

logger = logging.getLogger(__name__)
ENDED = say("Scoring failed: the worker process ended on this text.")


def claims_score(claims: Sequence[ChunkClaim]) -> int:
    """Score claimed chunks of one range of items and store the scores; return how many are done.

    Scores are discarded if their chunk was cancelled or claimed by another process meanwhile. If
    the metric raises an error, the chunk is requeued; from the fourth attempt its texts are scored
    one at a time, which identifies the failing ones.
    """
    try:
        return _score(claims)
    except DatabaseError:
        for claim in claims:
            claim.put_back()  # The metric is not to blame.
        raise
    except Exception as error:
        logger.exception("%s chunks of campaign %s", len(claims), claims[0].run.campaign_id)
        for claim in claims:
            claim_give_back(claim, error)
        return 0


def _score(claims: Sequence[ChunkClaim]) -> int:
    clock = [time.perf_counter()]
    first = claims[0]
    texts = read_texts(
        frame=Frame.of(first.run),
        items=items_between(first.chunk.first_item, first.chunk.last_item),
        groups=any(claim.metric.grouped for claim in claims),
    )
    cached = scores_known(claims, texts)
    clock.append(time.perf_counter())
    scored, spent = [], []
    for claim in claims:
        begin = time.perf_counter()
        try:
            results = _scores_of(claim, texts, cached[claim.run.pk])
            if results is not None:
                scored.append(Scored(claim, results, rows_of(claim, results)))
        except DatabaseError:
            raise
        except Exception as error:
            logger.exception(
                "Chunk %s of run %s, attempt %s",
                claim.chunk.number,
                claim.run.pk,
                claim.chunk.attempts,
            )
            claim_give_back(claim, error)
        spent.append(f"{claim.run.metric} {time.perf_counter() - begin:.4f}")
    clock.append(time.perf_counter())
    stored = scores_store(scored) if scored else 0
    clock.append(time.perf_counter())
    logger.info(
        "Scored %d texts in seconds: read %.4f, stored %.4f, %s",
        len(texts.ids),
        clock[1] - clock[0],
        clock[3] - clock[2],
        ", ".join(spent),
    )
    return stored


def _scores_of(
    claim: ChunkClaim, texts: Texts, cached: Mapping[int, TextScore]
) -> list[TextScore] | None:
    """A score for every text, in order; None if the claim was lost."""
    new = [(pk, pair) for pk, pair in zip(texts.ids, texts.pairs, strict=True) if pk not in cached]
    if claim.chunk.attempts > WHOLE_CHUNK_ATTEMPTS:
        made = _one_at_a_time(claim, new)
        if made is None:
            return None
    else:
        values, vectors = claim.metric.score_and_statistics([pair for _, pair in new])
        made = {
            pk: TextScore(pk, value, vector)
            for (pk, _), value, vector in zip(new, values, vectors, strict=True)
        }
    return [cached.get(pk) or made[pk] for pk in texts.ids]


def _one_at_a_time(
    claim: ChunkClaim, new: Sequence[tuple[int, Pair]]
) -> dict[int, TextScore] | None:
    """Score each text alone and store it at once; None if the claim was lost.

    The text is recorded as suspect before it is scored. If the process dies on it (out of memory, a
    crash in a library), the next attempt marks it as failed and skips it.
    """
    made = {}
    for pk, pair in new:
        if not claim.held.update(suspect=pk):
            return None
        made[pk] = (
            TextScore(pk, Value.undefined(ENDED))
            if pk == claim.chunk.suspect
            else _score_alone(claim, pk, pair)
        )
        if not score_store(claim, row_of(claim, made[pk])):
            return None
    return made


def _score_alone(claim: ChunkClaim, pk: int, pair: Pair) -> TextScore:
    metric: Metric[Any] = claim.metric
    try:
        (value,), (vector,) = metric.score_and_statistics([pair])
        result = TextScore(pk, value, vector)
        row_of(claim, result)  # A detail that is not JSON counts as an error of the metric.
    except Exception as error:
        logger.exception("One text of run %s cannot be scored", claim.run.pk)
        return TextScore(
            pk, Value.undefined(say("Scoring failed: %(why)s", why=error_sentence(error)))
        )
    return result


# The end of a run: system scores, and done or failed.


def runs_finish(*, ready: Sequence[Ready]) -> None:
    """Finish those of the runs, all over the same texts, whose chunks are all over."""
    makers: Makers | None = None
    for one in ready:
        if _is_over(one.run):
            last_output = newest_output(one.run.campaign_id)
            if makers is None:
                makers = systems_of(frame=Frame.of(one.run))
            _finish(one.run, one.metric, makers, last_output)


def _is_over(run: Run) -> bool:
    return (
        not run.chunks.filter(status__in=OPEN_CHUNKS).exists()
        and Run.objects.filter(pk=run.pk, status=Run.Status.RUNNING).exists()
    )


def _finish(run: Run, metric: Metric[Any], makers: Makers, last_output: int) -> bool:
    """Set done or failed by compare-and-set, so that exactly one worker does it.

    A run with a failed chunk fails and names it. Texts on which the metric failed are counted and
    the first is quoted; the others keep their scores. Returns whether this worker did it.
    """
    chunks = list(run.chunks.order_by("number"))
    broken = [chunk for chunk in chunks if chunk.status == RunChunk.Status.FAILED]
    if broken:
        return run_fail(
            run=run,
            error=say(
                "%(n)s of %(total)s chunks failed; the first: %(first)s",
                n=len(broken),
                total=len(chunks),
                first=broken[0].sentence,
            ),
        )
    rows = _system_scores(run, metric, makers)
    with short_write():
        updated = Run.objects.filter(pk=run.pk, status=Run.Status.RUNNING).update(
            status=Run.Status.DONE,
            finished_at=Now(),
            heartbeat=Now(),
            total=sum(chunk.done for chunk in chunks),
            last_output=last_output,
            **columns("error", _failures(chunks)),
        )
        if updated:
            run_count(run_pk=run.pk)
            SystemScore.objects.filter(run=run).delete()
            SystemScore.objects.bulk_create(rows)
    return bool(updated)


def run_fail(*, run: Run, error: str) -> bool:
    """Fail a run with a reason; its open chunks are cancelled."""
    with short_write():
        ended = Run.objects.filter(pk=run.pk, status__in=Run.ACTIVE).update(
            status=Run.Status.FAILED,
            finished_at=Now(),
            worker="",
            token="",
            **columns("error", error),
        )
        if ended:
            run.chunks.filter(status__in=OPEN_CHUNKS).update(**CANCELLED)
    return bool(ended)


def _failures(chunks: list[RunChunk]) -> str:
    failed = sum(chunk.failed for chunk in chunks)
    if not failed:
        return ""
    total = sum(chunk.done for chunk in chunks)
    first = next(chunk.sentence for chunk in chunks if chunk.failed)
    return say(
        "%(n)s of %(total)s texts could not be scored; the first: %(first)s",
        n=failed,
        total=total,
        first=first,
    )


def _system_scores(run: Run, metric: Metric[Any], makers: Makers) -> list[SystemScore]:
    """The mean score of each system and, if the metric has one, its corpus score.

    A text counts once for each system that produced it.
    """
    means: dict[int, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    totals: dict[int, tuple[Vector, int]] = defaultdict(lambda: ((), 0))
    corpus = metric.system_kind == "corpus"
    read = ("substitution_id", "value", "statistics") if corpus else ("substitution_id", "value")
    scores = Score.objects.filter(run_id=run.pk).order_by("substitution_id").values_list(*read)
    for system, (_, value, *vector) in makers.of(scores.iterator(chunk_size=5000)):
        if value is not None:
            sum_, n = means[system]
            means[system] = (sum_ + value, n + 1)
        if corpus and vector[0] is not None:
            total, n = totals[system]
            totals[system] = (add_vectors((total or None, tuple(vector[0]))), n + 1)
    rows = []
    for system in System.objects.filter(campaign_id=run.campaign_id).values_list("pk", flat=True):
        rows.append(_mean(run, system, *means[system]))
        if corpus:
            total, n = totals[system]
            score = metric.corpus_value(total)
            rows.append(
                SystemScore(
                    run=run,
                    system_id=system,
                    kind=SystemScore.Kind.CORPUS,
                    value=score.value,
                    n=n,
                    **columns("reason", score.reason),
                )
            )
    return rows


def _mean(run: Run, system: int, total: float, n: int) -> SystemScore:
    return SystemScore(
        run=run,
        system_id=system,
        kind=SystemScore.Kind.MEAN,
        value=total / n if n else None,
        reason="" if n else NO_SCORES.reason,
        n=n,
    )


# Work on a run: prepare, score or finish it. Every step is idempotent, so a run resumes after a
# kill.


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
        campaign_id=run.campaign_id,
        scope=run.scope,
        queue=run.queue,
        last_substitution=run.last_substitution,
        last_reference=run.last_reference,
        status=Run.Status.RUNNING,
    )
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
            total=sum(part.total for part in ranges),
            state=state,
            state_hash=state_hash(state),
            signature=run_signature(metric, run.scope),
            met=met.as_json(),
        )
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
    name: str,
    options: str,
    scope: str,
    whose: tuple[int, int | None],
    _state: str,
    run_pk: int | None,
) -> tuple[Metric[Any], str]:
    metric = metric_of(name, json.loads(options), *whose)
    if run_pk is not None:
        metric.use(Run.objects.values_list("state", flat=True).get(pk=run_pk))
    return metric, run_signature(metric, scope)


def _same_metric(run: Run) -> Metric[Any] | None:
    """The metric as it was when the run started; otherwise the run fails with the reason."""
    try:
        metric, signature = metric_for(run)
    except ValueError as error:
        run_fail(run=run, error=message_of(error))
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
            now=signature,
            then=run.signature,
        ),
    )
    return None

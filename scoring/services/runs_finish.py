"""The end of a run: system scores, and done or failed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.db.models.functions import Now

from annotation.models import System
from annotation.services.transactions import short_write
from scoring.metrics.base import Metric, Vector, add_vectors
from scoring.models import Run, RunChunk, Score, SystemScore
from scoring.services.runs import OPEN_CHUNKS, run_count
from scoring.services.runs_texts import read_pairs, systems_of

NOTHING = "No text of this system has a score."


def run_finish(*, run: Run, metric: Metric[Any]) -> bool:
    """Close a run whose chunks are all over: by compare-and-set, so exactly one worker does.

    A run with a failed chunk fails and names it; texts on which the metric broke are counted and
    the first is quoted, while the others have their scores. Returns True for the one that did.
    """
    chunks = list(run.chunks.order_by("number"))
    if any(chunk.status in OPEN_CHUNKS for chunk in chunks):
        return False
    broken = [chunk for chunk in chunks if chunk.status == RunChunk.Status.FAILED]
    if broken:
        return run_fail(
            run=run,
            error=f"{len(broken)} of {len(chunks)} chunks failed; the first: {broken[0].error}",
        )
    rows = _system_scores(run, chunks, metric)
    with short_write():
        mine = Run.objects.filter(pk=run.pk, status=Run.Status.RUNNING).update(
            status=Run.Status.DONE,
            finished_at=Now(),
            heartbeat=Now(),
            total=sum(chunk.done for chunk in chunks),
            error=_failures(chunks),
        )
        if mine:
            run_count(run_pk=run.pk)
            SystemScore.objects.filter(run=run).delete()
            SystemScore.objects.bulk_create(rows)
    return bool(mine)


def run_fail(*, run: Run, error: str) -> bool:
    """End a run with the reason; its chunks that are not over are cancelled."""
    with short_write():
        ended = Run.objects.filter(pk=run.pk, status__in=Run.ACTIVE).update(
            status=Run.Status.FAILED, finished_at=Now(), error=error, worker=""
        )
        if ended:
            run.chunks.filter(status__in=OPEN_CHUNKS).update(status=RunChunk.Status.CANCELLED)
    return bool(ended)


def _failures(chunks: list[RunChunk]) -> str:
    failed = sum(chunk.failed for chunk in chunks)
    if not failed:
        return ""
    total = sum(chunk.done for chunk in chunks)
    first = next(chunk.error for chunk in chunks if chunk.failed)
    return f"{failed} of {total} texts could not be scored; the first: {first}"


def _system_scores(run: Run, chunks: list[RunChunk], metric: Metric[Any]) -> list[SystemScore]:
    """The mean of the texts of each system and, where the metric has one, its corpus score.

    A text counts once for each system that made it.
    """
    values: dict[int, list[float]] = defaultdict(list)
    vectors: dict[int, list[Vector]] = defaultdict(list)
    for chunk in chunks:
        makers = systems_of(run=run, first=chunk.first_item, last=chunk.last_item)
        scores = dict(
            Score.objects.filter(run_id=run.pk, substitution_id__in=makers)
            .exclude(value=None)
            .values_list("substitution_id", "value")
        )
        _add(values, makers, scores.items())
        if metric.system_kind == "corpus":
            ids, pairs = read_pairs(run=run, first=chunk.first_item, last=chunk.last_item)
            _add(vectors, makers, zip(ids, metric.corpus_statistics(pairs), strict=True))
    rows = []
    for system in System.objects.filter(campaign_id=run.campaign_id).values_list("pk", flat=True):
        rows.append(_mean(run, system, values[system]))
        if metric.system_kind == "corpus":
            score = metric.corpus_value(add_vectors(vectors[system]))
            rows.append(
                SystemScore(
                    run=run, system_id=system, kind=SystemScore.Kind.CORPUS,
                    value=score.value, reason=score.reason, n=len(vectors[system]),
                )
            )  # fmt: skip
    return rows


def _add(
    totals: dict[int, list[Any]], makers: dict[int, set[int]], found: Iterable[tuple[int, Any]]
) -> None:
    for substitution, value in found:
        if value is not None:
            for system in makers.get(substitution, ()):
                totals[system].append(value)


def _mean(run: Run, system: int, values: list[float]) -> SystemScore:
    return SystemScore(
        run=run,
        system_id=system,
        kind=SystemScore.Kind.MEAN,
        value=sum(values) / len(values) if values else None,
        reason="" if values else NOTHING,
        n=len(values),
    )

"""The end of a run: system scores, and done or failed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models.functions import Now

from annotation.models import System
from annotation.services.transactions import short_write
from scoring.metrics.base import Metric, Vector, add_vectors
from scoring.models import Run, RunChunk, Score, SystemScore
from scoring.services.runs import OPEN_CHUNKS, run_count
from scoring.services.runs_claim import Ready
from scoring.services.runs_newest import newest_output
from scoring.services.runs_texts import Frame, Makers, systems_of

NOTHING = "No text of this system has a score."


def runs_finish(*, ready: Sequence[Ready]) -> None:
    """Close those of the runs, all about the same texts, whose chunks are over."""
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
    """Done or failed by compare-and-set, so exactly one worker does it.

    A run with a failed chunk fails and names it; texts on which the metric broke are counted and
    the first is quoted, while the others have their scores. Returns True for the one that did.
    """
    chunks = list(run.chunks.order_by("number"))
    broken = [chunk for chunk in chunks if chunk.status == RunChunk.Status.FAILED]
    if broken:
        return run_fail(
            run=run,
            error=f"{len(broken)} of {len(chunks)} chunks failed; the first: {broken[0].error}",
        )
    rows = _system_scores(run, metric, makers)
    with short_write():
        mine = Run.objects.filter(pk=run.pk, status=Run.Status.RUNNING).update(
            status=Run.Status.DONE,
            finished_at=Now(),
            heartbeat=Now(),
            total=sum(chunk.done for chunk in chunks),
            last_output=last_output,
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


def _system_scores(run: Run, metric: Metric[Any], makers: Makers) -> list[SystemScore]:
    """The mean of the texts of each system and, where the metric has one, its corpus score.

    A text counts once for each system that made it.
    """
    means: dict[int, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    totals: dict[int, tuple[Vector, int]] = defaultdict(lambda: ((), 0))
    corpus = metric.system_kind == "corpus"
    columns = ("substitution_id", "value", "statistics") if corpus else ("substitution_id", "value")
    scores = Score.objects.filter(run_id=run.pk).order_by("substitution_id").values_list(*columns)
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
                    run=run, system_id=system, kind=SystemScore.Kind.CORPUS,
                    value=score.value, reason=score.reason, n=n,
                )
            )  # fmt: skip
    return rows


def _mean(run: Run, system: int, total: float, n: int) -> SystemScore:
    return SystemScore(
        run=run,
        system_id=system,
        kind=SystemScore.Kind.MEAN,
        value=total / n if n else None,
        reason="" if n else NOTHING,
        n=n,
    )

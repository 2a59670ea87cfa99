"""The end of a run: system scores, and done or failed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models.functions import Now

from annotation.models import System
from annotation.services.transactions import short_write
from paraanno.plain.sentence import say
from paraanno.plain.sentence_columns import columns
from scoring.metrics.base import Metric, Vector, add_vectors
from scoring.metrics.values import NO_SCORES
from scoring.models import Run, RunChunk, Score, SystemScore
from scoring.selectors.runs import newest_output
from scoring.services.runs.claim import Ready
from scoring.services.runs.start import CANCELLED, OPEN_CHUNKS, run_count
from scoring.services.runs.texts import Frame, Makers, systems_of


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
                n=len(broken), total=len(chunks), first=broken[0].said,
            ),
        )  # fmt: skip
    rows = _system_scores(run, metric, makers)
    with short_write():
        mine = Run.objects.filter(pk=run.pk, status=Run.Status.RUNNING).update(
            status=Run.Status.DONE,
            finished_at=Now(),
            heartbeat=Now(),
            total=sum(chunk.done for chunk in chunks),
            last_output=last_output,
            **columns("error", _failures(chunks)),
        )
        if mine:
            run_count(run_pk=run.pk)
            SystemScore.objects.filter(run=run).delete()
            SystemScore.objects.bulk_create(rows)
    return bool(mine)


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
    first = next(chunk.said for chunk in chunks if chunk.failed)
    return say(
        "%(n)s of %(total)s texts could not be scored; the first: %(first)s",
        n=failed, total=total, first=first,
    )  # fmt: skip


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
                    run=run, system_id=system, kind=SystemScore.Kind.CORPUS,
                    value=score.value, n=n, **columns("reason", score.reason),
                )
            )  # fmt: skip
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

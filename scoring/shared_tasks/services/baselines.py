"""Baselines: submissions that the product makes of its own metrics."""

from __future__ import annotations

import secrets
import tempfile
from pathlib import Path

import numpy as np

from annotation.models.fields import token_digest
from paraanno import clock
from paraanno.plain.sentence import say
from scoring.metrics.base import Pair
from scoring.metrics.spec import from_spec
from scoring.shared_tasks.models import SharedTask, Submission, TaskFile, Team
from scoring.shared_tasks.selectors.files import file_bytes
from scoring.stats.shared_tasks.frozen import Frozen
from scoring.stats.table import FloatArray

TEAM = "paraanno"
BASELINES = ("bleu", "nist", "meteor", "ter", "chrf")
# Needs realisations of the originals with their model scores, which an organiser may add.
OF_NBEST = "approx_hter"
UNKNOWN = "en"  # What METEOR reads where nobody has named the language of the texts.
NO_SCORE = say("The metric gives no text a score.")


def baselines_enter(*, task: SharedTask) -> list[Submission]:
    """Enter the metrics whose inputs a track allows; workers score them. Called in the transaction
    that freezes the task.

    All but approx_hter compare with the original, so they are in no track that hides it.
    """
    if task.kind == SharedTask.Kind.SYSTEMS:
        return []
    team = Team.objects.create(
        task=task, name=TEAM, is_baseline=True, token_hash=token_digest(secrets.token_urlsafe(32))
    )
    nbest = set(
        TaskFile.objects.filter(task=task, role=TaskFile.Role.NBEST).values_list("track", flat=True)
    )
    now = clock.now()
    made = [
        Submission(
            track=track, team=team, number=number, name=name, baseline=name, form="score",
            primary=True, created_at=now,
        )
        for track in task.tracks.all()
        if track.reference
        for number, name in enumerate(
            [*BASELINES, *([OF_NBEST] if {None, track.pk} & nbest else [])], 1
        )
    ]  # fmt: skip
    return Submission.objects.bulk_create(made)


def baseline_scores(*, submission: Submission, frozen: Frozen) -> FloatArray:
    """The (T,) scores of a metric against the originals, larger being better.

    A text that the metric gives no score gets the least one, so that it wins no pair.
    """
    task = submission.track.task
    language = task.campaign.language or UNKNOWN
    pairs = [
        Pair(frozen.original_texts[at], text, language=language)
        for at, text in zip(frozen.original.tolist(), frozen.texts, strict=True)
    ]
    if submission.baseline != OF_NBEST:
        return _scores(submission.baseline, pairs)
    files = TaskFile.objects.filter(task=task, role=TaskFile.Role.NBEST)
    file = files.filter(track__in=[submission.track]).first() or files.get(track=None)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "nbest.tsv")
        path.write_bytes(file_bytes(file))
        return _scores(f"{OF_NBEST}:nbest={path}", pairs)


def _scores(spec: str, pairs: list[Pair]) -> FloatArray:
    order = sorted(range(len(pairs)), key=lambda at: pairs[at].original)
    metric = from_spec(spec, [pairs[0].language] if pairs else None)
    metric.load()
    together = [pairs[at] for at in order]
    if metric.needs_state:
        metric.use(metric.prepare(together))
    values = np.full(len(pairs), np.nan)
    for at, score in zip(order, metric.score_many(together), strict=True):
        if score.value is not None:
            values[at] = score.value if metric.higher_is_better else -score.value
    if not np.isfinite(values).any():
        raise ValueError(NO_SCORE)
    return np.where(np.isnan(values), float(np.nanmin(values)), values)

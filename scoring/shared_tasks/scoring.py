"""Score submissions, in a worker."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from annotation.database import short_write
from paraanno.common.texts import say
from paraanno.jobs.engine import Claim
from scoring.metrics.registry import from_spec
from scoring.metrics.values import Pair, mean_score
from scoring.shared_tasks.models import SharedTask, Submission, TaskFile, Track
from scoring.shared_tasks.submissions import (
    OF_NBEST,
    answers_kept,
    board_ask,
    content_add,
    doubles,
    file_bytes,
    frozen_get,
    packed_of,
)
from scoring.stats.shared_tasks.board import Frozen
from scoring.stats.shared_tasks.measures import Settings, measured
from scoring.stats.shared_tasks.white import from_numbers
from scoring.stats.table import FloatArray

# Metrics beside people: how submitted paraphrases overlap with originals and references.


AGAINST_ORIGINAL = ("bleu", "chrf", "ter")
AGAINST_REFERENCES = ("bleu", "nist", "meteor", "ter", "chrf")


def overlap_of(task: SharedTask, frozen: Frozen, texts: Sequence[str]) -> dict[str, float | None]:
    """Mean scores of paraphrases, one of each original, by name of metric.

    Against the references where every original has one, and against the originals; close to the
    original is no merit, so nothing is ranked by it.
    """
    language = task.campaign.language
    pairs = [
        Pair(original, text, tuple(references), language=language)
        for original, text, references in zip(
            frozen.original_texts, texts, frozen.references, strict=True
        )
    ]
    specs = [f"{name}:against=original" for name in AGAINST_ORIGINAL]
    if all(pair.references for pair in pairs):
        specs += [f"{name}:against=references" for name in AGAINST_REFERENCES]
    means: dict[str, float | None] = {}
    for spec in specs:
        metric = from_spec(spec, [language] if language else None)
        metric.load()
        if metric.needs_state:
            metric.use(metric.prepare(pairs))
        mean, _n = mean_score(metric.score_many(pairs))
        means[metric.labelled(spec)] = mean.value
    return means


def submission_work(claim: Claim) -> None:
    """Score a submission on the public part."""
    submission: Submission = claim.row
    frozen = frozen_get(task=submission.track.task)
    if submission.baseline:
        answers = doubles(baseline_scores(submission=submission, frozen=frozen))
    else:
        answers = answers_kept(submission=submission, frozen=frozen)
    public = _public(submission, frozen, answers)
    packed = packed_of(answers) if submission.answers is None else None
    with short_write():
        claim.check()
        stored = {} if packed is None else {"answers": content_add(packed)}
        claim.close(public=public, **stored)


def submission_over(submission: Submission) -> None:
    """Have the board made that waited for it."""
    board_ask(task=submission.track.task)


def _public(submission: Submission, frozen: Frozen, answers: bytes) -> dict[str, Any]:
    """What the team is shown at once."""
    track = submission.track
    if track.measure == Track.Measure.PEOPLE:
        return {"metrics": overlap_of(track.task, frozen, json.loads(answers))}
    rule: Any = track.task.gold
    rows = measured(
        frozen,
        {submission.label: from_numbers(submission.form, answers)},
        Settings(track.measure, rule, "public", permutations=0),
    )
    shown = ("value", "strict", "half", "ci_low", "ci_high")
    return {name: rows[0].get(name) for name in shown} if rows else {}


# The scores of baselines.


UNKNOWN = "en"  # What METEOR reads where nobody has named the language of the texts.
NO_SCORE = say("The metric gives no text a score.")


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
        # A board names no options: METEOR is the one with WordNet, or none.
        whole = ":lookup=stems" if submission.baseline == "meteor" else ""
        return _scores(f"{submission.baseline}{whole}", pairs)
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

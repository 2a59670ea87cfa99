"""Score submissions, in a worker."""

from __future__ import annotations

from typing import Any

import numpy as np

from annotation.database import short_write
from paraanno.jobs.engine import Claim
from scoring.metrics.registry import from_spec
from scoring.metrics.values import Pair, mean_score
from scoring.shared_tasks.models import SharedTask, Submission, Track
from scoring.shared_tasks.submissions import (
    answers_of,
    baseline_scores,
    board_ask,
    content_add,
    content_data,
    frozen_get,
    numbers_packed,
    packed_of,
)
from scoring.stats.shared_tasks.board import Frozen
from scoring.stats.shared_tasks.measures import Said, Settings, measured
from scoring.stats.shared_tasks.submissions import Answers, decisions, scores
from scoring.stats.table import FloatArray

# Metrics beside people: how submitted paraphrases overlap with originals and references.


AGAINST_ORIGINAL = ("bleu", "chrf", "ter")
AGAINST_REFERENCES = ("bleu", "nist", "meteor", "ter", "chrf")


def overlap_of(task: SharedTask, frozen: Frozen, answers: Answers) -> dict[str, float | None]:
    """Mean scores of a submission of paraphrases, by name of metric.

    Against the references where every original has one, and against the originals; close to the
    original is no merit, so nothing is ranked by it.
    """
    language = task.campaign.language
    pairs = [
        Pair(text, str(answers.values[key]), tuple(references), language=language)
        for key, text, references in zip(
            frozen.originals, frozen.original_texts, frozen.references, strict=True
        )
    ]
    specs = [f"{name}:against=original" for name in AGAINST_ORIGINAL]
    if all(pair.references for pair in pairs):
        specs += [f"{name}:against=references" for name in AGAINST_REFERENCES]
    found: dict[str, float | None] = {}
    for spec in specs:
        metric = from_spec(spec, [language] if language else None)
        metric.load()
        if metric.needs_state:
            metric.use(metric.prepare(pairs))
        mean, _n = mean_score(metric.score_many(pairs))
        found[spec] = mean.value
    return found


def submission_work(claim: Claim) -> None:
    """Score a submission on the public part."""
    submission: Submission = claim.row
    numbers, public = _scored(submission)
    packed = None if numbers is None else packed_of(numbers_packed(numbers))
    with short_write():
        claim.check()
        stored = {} if packed is None else {"numbers": content_add(packed)}
        claim.close(public=public, **stored)


def submission_over(submission: Submission) -> None:
    """Have the board made that waited for it."""
    board_ask(task=submission.track.task)


def _scored(submission: Submission) -> tuple[FloatArray | None, dict[str, Any]]:
    track = submission.track
    frozen = frozen_get(task=track.task)
    if track.measure == Track.Measure.PEOPLE:
        assert submission.content is not None  # noqa: S101 a constraint says so
        answers = answers_of(track, frozen, content_data(submission.content), "submission.tsv")
        return None, {"metrics": overlap_of(track.task, frozen, answers)}
    said = _said(submission, frozen)
    rows = measured(
        frozen,
        {submission.label: said},
        Settings(track.measure, _rule(track.task), "public", permutations=0),
    )
    shown = ("value", "strict", "half", "ci_low", "ci_high")
    return said.values, {name: rows[0].get(name) for name in shown} if rows else {}


def _rule(task: SharedTask) -> Any:
    return task.gold


def _said(submission: Submission, frozen: Frozen) -> Said:
    if submission.baseline:
        return Said("score", baseline_scores(submission=submission, frozen=frozen))
    assert submission.content is not None  # noqa: S101 a constraint says so
    data = content_data(submission.content)
    answers = answers_of(submission.track, frozen, data, "submission.tsv")
    if answers.form == "choice":
        return Said("choice", decisions(answers, frozen).astype(np.float64))
    return Said("score", scores(answers, frozen))

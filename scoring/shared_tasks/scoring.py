"""Score submissions, in a worker."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from annotation.database import short_write
from paraanno.jobs.engine import Claim
from scoring.metrics.registry import from_spec
from scoring.metrics.values import Pair, mean_score
from scoring.shared_tasks.models import SharedTask, Submission, Track
from scoring.shared_tasks.submissions import (
    answers_kept,
    baseline_scores,
    board_ask,
    content_add,
    doubles,
    frozen_get,
    packed_of,
)
from scoring.stats.shared_tasks.board import Frozen
from scoring.stats.shared_tasks.measures import Settings, measured
from scoring.stats.shared_tasks.white import from_numbers

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

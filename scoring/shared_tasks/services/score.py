"""Score submissions, in a worker."""

from __future__ import annotations

from typing import Any

import numpy as np

from annotation.services.transactions import short_write
from paraanno.jobs.engine import Claim
from scoring.shared_tasks.models import SharedTask, Submission, Track
from scoring.shared_tasks.selectors.files import content_data, frozen_get
from scoring.shared_tasks.services.baselines import baseline_scores
from scoring.shared_tasks.services.board_queue import board_ask
from scoring.shared_tasks.services.contents import content_add, numbers_packed, packed_of
from scoring.shared_tasks.services.overlap import overlap_of
from scoring.shared_tasks.services.submit import answers_of
from scoring.stats.shared_tasks.decisions import decisions, scores
from scoring.stats.shared_tasks.frozen import Frozen
from scoring.stats.shared_tasks.measures import Said, Settings, measured
from scoring.stats.table import FloatArray


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
        frozen, {submission.label: said},
        Settings(track.measure, _rule(track.task), "public", permutations=0),
    )  # fmt: skip
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

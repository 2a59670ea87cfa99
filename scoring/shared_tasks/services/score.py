"""Score submissions, in a worker. Safe to repeat and to kill."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
from django.db import DatabaseError
from django.db.models import F
from django.db.models.functions import Now

from annotation.services.transactions import short_write
from paraanno.plain.sentence_columns import columns, told
from scoring.services.workers.heartbeats import process_name
from scoring.services.workers.notify import notify_workers
from scoring.shared_tasks.models import SharedTask, Submission, TaskBoard, Track
from scoring.shared_tasks.selectors.files import content_data, frozen_get
from scoring.shared_tasks.services.baselines import baseline_scores
from scoring.shared_tasks.services.boards import BOARD_MAKE, public_board_refresh
from scoring.shared_tasks.services.contents import content_add, numbers_packed, packed_of
from scoring.shared_tasks.services.overlap import overlap_of
from scoring.shared_tasks.services.submit import answers_of
from scoring.stats.shared_tasks.decisions import decisions, scores
from scoring.stats.shared_tasks.frozen import Frozen
from scoring.stats.shared_tasks.measures import Said, Settings, measured
from scoring.stats.table import FloatArray

logger = logging.getLogger(__name__)
Status = Submission.Status


def submission_score(*, submission_pk: int) -> bool:
    """Score a queued submission on the public part; return whether it was this process's to do."""
    with short_write():
        mine = Submission.objects.filter(pk=submission_pk, status=Status.QUEUED).update(
            status=Status.RUNNING, worker=process_name(), attempts=F("attempts") + 1,
            started_at=Now(),
        )  # fmt: skip
    if not mine:
        return False
    submission = Submission.objects.select_related("track__task__campaign", "team", "content").get(
        pk=submission_pk
    )
    try:
        numbers, public = _scored(submission)
    except DatabaseError:
        raise  # The sweep requeues it: the file is not to blame.
    except Exception as error:
        logger.warning("%s failed", submission, exc_info=error)
        _close(submission, status=Status.FAILED, **columns("error", told(error)))
    else:
        _close(submission, numbers=numbers, status=Status.DONE, public=public)
    task = SharedTask.objects.get(pk=submission.track.task_id)
    if task.over:
        notify_final(task)
    else:
        public_board_refresh(task=task)
    return True


def notify_final(task: SharedTask) -> None:
    """The final board may have waited for this submission."""
    board = TaskBoard.objects.filter(task=task, part=TaskBoard.Part.FINAL).first()
    if board is not None:
        notify_workers(BOARD_MAKE, board.pk)


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


def _close(submission: Submission, *, numbers: FloatArray | None = None, **changes: Any) -> None:
    """End a submission that this process still claims."""
    packed = None if numbers is None else packed_of(numbers_packed(numbers))
    with short_write():
        rows = Submission.objects.select_for_update().filter(
            pk=submission.pk, status=Status.RUNNING, worker=process_name()
        )
        if not rows.exists():
            return
        if packed is not None:
            changes["numbers"] = content_add(packed)
        Submission.objects.filter(pk=submission.pk).update(worker="", finished_at=Now(), **changes)

"""Tasks of workers: an id in, one service called."""

from __future__ import annotations

from celery import shared_task

from scoring.shared_tasks.models import SharedTask
from scoring.shared_tasks.services.boards import board_make as _board_make
from scoring.shared_tasks.services.boards import public_board_refresh as _public_board_refresh
from scoring.shared_tasks.services.score import submission_score as _submission_score


@shared_task
def submission_score(submission_pk: int) -> None:
    """Score a submission."""
    _submission_score(submission_pk=submission_pk)


@shared_task
def board_make(board_pk: int) -> None:
    """Make the final board of a task."""
    _board_make(board_pk=board_pk)


@shared_task
def public_board_refresh(task_pk: int) -> None:
    """Bring the public board of an open task up to date."""
    task = SharedTask.objects.filter(pk=task_pk, state=SharedTask.State.OPEN).first()
    if task is not None:
        _public_board_refresh(task=task)

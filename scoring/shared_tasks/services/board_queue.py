"""When boards are made: after each submission, after closing, and when one shows an old state."""

from __future__ import annotations

from annotation.models.fields import text_digest
from paraanno.jobs.row import ACTIVE, OVER
from scoring.shared_tasks.jobs import BOARD
from scoring.shared_tasks.models import SharedTask, Submission, TaskBoard
from scoring.shared_tasks.selectors.board import part_shown

Part = TaskBoard.Part


def board_ask(*, task: SharedTask, part: str = "") -> TaskBoard:
    """Queue the board of a task, of the part that it shows now; in the caller's transaction.

    One at work looks again when it is done (`board_over`).
    """
    part = part or part_shown(task)
    board, _new = TaskBoard.objects.get_or_create(task=task, part=part)
    TaskBoard.objects.filter(pk=board.pk, status__in=OVER).update(
        status=TaskBoard.Status.QUEUED, attempts=0, retries=0, worker="", finished_at=None
    )
    BOARD.notify(board.pk)
    return board


def boards_due() -> None:
    """Queue the boards of open tasks that show another state than that of the submissions: the
    message, or the process that was to ask for it, is lost. On the timer of each worker."""
    for task in SharedTask.objects.filter(state=SharedTask.State.OPEN):
        shown = TaskBoard.objects.filter(task=task, part=Part.PUBLIC).first()
        if (shown is None or not shown.active) and board_state(task) != _state_of(shown):
            board_ask(task=task)


def _state_of(board: TaskBoard | None) -> str:
    return text_digest() if board is None else board.state_hash


def board_state(task: SharedTask) -> str:
    """The submissions that a board of the task shows, as a hash."""
    rows = Submission.objects.filter(track__task=task, withdrawn_at=None, status="done")
    return text_digest(*map(str, rows.order_by("pk").values_list("pk", "primary")))


def board_ready(board_pk: int) -> bool:
    """Whether the board is public, or final and every submission has been scored."""
    board = TaskBoard.objects.filter(pk=board_pk).first()
    if board is None or board.part == Part.PUBLIC:
        return board is not None
    of_task = Submission.objects.filter(track__task=board.task_id, withdrawn_at=None)
    return not of_task.filter(status__in=ACTIVE).exists()


def board_over(board: TaskBoard) -> None:
    """Look again after a public board: submissions may have come or gone meanwhile."""
    shown = TaskBoard.objects.filter(pk=board.pk, part=Part.PUBLIC).first()
    if shown and not shown.task.over and shown.state_hash != board_state(shown.task):
        board_ask(task=shown.task)

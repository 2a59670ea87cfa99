"""Close a task, publish it, and finish work where no worker is alive."""

from __future__ import annotations

from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.errors import Conflict
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.jobs.engine import job_work
from scoring.selectors.workers import is_alive
from scoring.services.sweep import sweep
from scoring.shared_tasks.jobs import BOARD, SUBMISSION
from scoring.shared_tasks.models import SharedTask, Submission, TaskBoard
from scoring.shared_tasks.services.board_queue import board_ask, boards_due

State = SharedTask.State


def task_close(*, task: SharedTask, actor: Actor) -> SharedTask:
    """Take no more submissions; a worker makes the final board.

    A team that has chosen no primary submission in a track has its last one. Closing twice is a
    Conflict.
    """
    with short_write():
        # Submissions under way hold or await this row: each is in whole, or refused.
        done = SharedTask.objects.filter(pk=task.pk, state=State.OPEN).update(
            state=State.CLOSED, closed_at=clock.now()
        )
        if not done:
            raise Conflict(_("This task is not open."))
        _choose_last(task)
        board_ask(task=task, part=TaskBoard.Part.FINAL)
        audit(actor=actor, verb="close task", about=task, campaign=task.campaign, task=task.slug)
    return SharedTask.objects.get(pk=task.pk)


def _choose_last(task: SharedTask) -> None:
    rows = Submission.objects.filter(track__task=task, baseline="", withdrawn_at=None)
    chosen = set(rows.filter(primary=True).values_list("team", "track"))
    last = rows.exclude(status="failed").order_by().values_list("team", "track")
    pks = [pk for team, track, pk in last.annotate(Max("pk")) if (team, track) not in chosen]
    Submission.objects.filter(pk__in=pks).update(primary=True)


def task_publish(*, task: SharedTask, actor: Actor) -> SharedTask:
    """Show the final board, gold and all files to everybody. Raises Conflict unless the task is
    closed and its final board made."""
    made = TaskBoard.objects.filter(task=task, part="final", status="done").exists()
    if task.state != State.CLOSED or not made:
        raise Conflict(_("A task is published once it is closed and its final board is made."))
    with short_write():
        done = SharedTask.objects.filter(pk=task.pk, state=State.CLOSED).update(
            state=State.PUBLISHED, published_at=clock.now()
        )
        if not done:
            raise Conflict(_("This task is published already."))
        audit(actor=actor, verb="publish task", about=task, campaign=task.campaign, task=task.slug)
    return SharedTask.objects.get(pk=task.pk)


def work_finish(*, task: SharedTask) -> None:
    """Do what workers would do, if none is alive; also what a dead one left behind."""
    if is_alive():
        return
    sweep(idle=False, queues=[])
    for kind, rows in (
        (SUBMISSION, Submission.objects.filter(track__task=task)),
        (BOARD, TaskBoard.objects.filter(task=task)),
    ):
        boards_due()
        for pk in rows.filter(status="queued").order_by("pk").values_list("pk", flat=True):
            job_work(kind.name, pk)


def close_due() -> int:
    """Close the tasks whose time has come; return how many. A worker's timer calls this."""
    due = SharedTask.objects.filter(state=State.OPEN, closes_at__lte=clock.now())
    closed = 0
    for task in due.select_related("campaign"):
        try:
            task_close(task=task, actor=None)
        except Conflict:  # Another worker was first.
            continue
        closed += 1
    return closed

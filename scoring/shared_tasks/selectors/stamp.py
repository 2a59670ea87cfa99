"""What a board shows as one short text, so that readers get it from the cache until it changes."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import TypeVar

from django.core.cache import cache
from django.utils.translation import get_language

from scoring.shared_tasks.models import SharedTask, Submission, TaskBoard
from scoring.shared_tasks.selectors.access import TaskStanding
from scoring.shared_tasks.selectors.board import part_shown

KEPT_FOR = 600  # seconds; what changed has another stamp at once.
T = TypeVar("T")


def board_stamp(*, task: SharedTask, standing: TaskStanding) -> str:
    """The state of the board, and who may see how much of it; two queries that read no board."""
    board = TaskBoard.objects.filter(task=task, part=part_shown(task))
    state = board.values_list("pk", "finished_at", "status", "state_hash").first()
    # A board is made again after every submission; what was withdrawn is gone before that.
    gone = Submission.objects.filter(track__task=task, withdrawn_at__isnull=False).count()
    hides = task.hide_teams and task.state != SharedTask.State.PUBLISHED
    who = (standing.organises, standing.team.pk if hides and standing.team else None)
    about = (task.pk, task.state, task.title, task.closed_at, task.hide_teams)
    return _digest(about, state, gone, who, get_language())


def kept(stamp: str, what: tuple[str, ...], make: Callable[[], T]) -> T:
    """What was made of the board as of this stamp, from the cache if it is there."""
    key = f"task-board-{_digest(stamp, what)}"
    found: T | None = cache.get(key)
    if found is None:
        found = make()
        cache.set(key, found, KEPT_FOR)
    return found


def _digest(*parts: object) -> str:
    return sha256(repr(parts).encode()).hexdigest()

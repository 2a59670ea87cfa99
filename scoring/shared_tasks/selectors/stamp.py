"""What a board shows as one short text, so that readers get it from the cache until it changes."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from threading import Lock
from typing import Any, TypeVar

from django.core.cache import cache
from django.utils.translation import get_language

from scoring.shared_tasks.models import SharedTask, Submission, TaskBoard
from scoring.shared_tasks.selectors.access import TaskStanding
from scoring.shared_tasks.selectors.board import part_shown

KEPT_FOR = 600  # seconds; what changed has another stamp.
# While submissions come, a board changes several times a second, and hundreds may look at its page:
# they see one that is this many seconds old at most. Its organiser and the API see the newest.
LAG = 10
T = TypeVar("T")
_one_makes = Lock()


def board_stamp(*, task: SharedTask, standing: TaskStanding, late: bool = False) -> str:
    """The state of the board, and who may see how much of it; at most two queries, which read no
    board. `late`: the state may be LAG seconds old, but for the organiser."""
    state = _late_state(task) if late and not standing.organises else _state(task)
    # A board is made again after every submission; what was withdrawn is gone before that.
    gone = Submission.objects.filter(track__task=task, withdrawn_at__isnull=False).count()
    hides = task.hide_teams and task.state != SharedTask.State.PUBLISHED
    who = (standing.organises, standing.team.pk if hides and standing.team else None)
    about = (task.pk, task.state, task.title, task.closed_at, task.hide_teams)
    return _digest(about, state, gone, who, get_language())


def _state(task: SharedTask) -> tuple[Any, ...] | None:
    board = TaskBoard.objects.filter(task=task, part=part_shown(task))
    return board.values_list("pk", "finished_at", "status", "state_hash").first()


def _late_state(task: SharedTask) -> tuple[Any, ...] | None:
    """The state, up to LAG seconds old; there is none to keep before there is a board."""
    key = f"task-board-state-{task.pk}-{part_shown(task)}"
    found: tuple[Any, ...] | None = cache.get(key)
    if found is None and (found := _state(task)) is not None:
        cache.set(key, found, LAG)
    return found


def kept(stamp: str, what: tuple[str, ...], make: Callable[[], T]) -> T:
    """What was made of the board as of this stamp, from the cache if it is there; of the threads
    that ask at once, one makes it and the others wait."""
    key = f"task-board-{_digest(stamp, what)}"
    found: T | None = cache.get(key)
    if found is None:
        with _one_makes:
            found = cache.get(key)
            if found is None:
                found = make()
                cache.set(key, found, KEPT_FOR)
    return found


def _digest(*parts: object) -> str:
    return sha256(repr(parts).encode()).hexdigest()

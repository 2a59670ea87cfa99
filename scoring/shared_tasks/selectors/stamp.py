"""What a board shows as one short text, so that readers get it from the cache until it changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from typing import Generic, TypeVar

from django.core.cache import cache
from django.utils.translation import get_language

from scoring.shared_tasks.models import SharedTask, Submission, TaskBoard
from scoring.shared_tasks.selectors.access import TaskStanding
from scoring.shared_tasks.selectors.board import part_shown

KEPT_FOR = 600  # seconds; what changed has another stamp.
# While submissions come, a board changes several times a second, and hundreds may look at its page:
# they see one that is LAG seconds old at most. After LOOK seconds one of them looks whether there
# is a newer board, while the others still get the page that is there. The board's organiser and
# the API see the newest.
LAG, LOOK = 10, 8
T = TypeVar("T")
_one_makes, _one_looks = Lock(), Lock()


@dataclass(frozen=True, slots=True)
class LatePage(Generic[T]):
    """What was made of a board, and the stamp of the board's state then."""

    stamp: str
    made: T


def board_stamp(*, task: SharedTask, standing: TaskStanding) -> str:
    """The state of the board, and who may see how much of it; two queries, which read no board."""
    # A board is made again after every submission; what was withdrawn is gone before that.
    gone = Submission.objects.filter(track__task=task, withdrawn_at__isnull=False).count()
    hides = task.hide_teams and task.state != SharedTask.State.PUBLISHED
    who = (standing.organises, standing.team.pk if hides and standing.team else None)
    about = (task.pk, task.state, task.title, task.closed_at, task.hide_teams)
    board = TaskBoard.objects.filter(task=task, part=part_shown(task))
    state = board.values_list("pk", "finished_at", "status", "state_hash").first()
    return _digest(about, state, gone, who, get_language())


def late(
    what: tuple[object, ...], stamp: Callable[[], str], make: Callable[[str], T]
) -> LatePage[T]:
    """What is kept under this name, up to LAG seconds old; made again if the stamp is another.

    Only where nothing is there yet do the threads that ask at once wait for the one that makes it.
    """
    key = f"task-page-{_digest(what)}"
    found: LatePage[T] | None = cache.get(key)
    if found is not None and not cache.add(f"{key}-looked", 1, LOOK):
        return found
    with _one_looks:
        there: LatePage[T] | None = cache.get(key) if found is None else None
        if there is not None:
            return there
        now = stamp()
        if found is None or found.stamp != now:
            found = LatePage(now, make(now))
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

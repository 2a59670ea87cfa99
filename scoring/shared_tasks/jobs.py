"""The kinds of jobs of this app."""

from __future__ import annotations

from operator import attrgetter

from paraanno.common.lazy_import import late
from paraanno.jobs.engine import Kind
from scoring.shared_tasks.models import Submission, TaskBoard

_BOARDS = "scoring.shared_tasks.boards"
_QUEUE = "scoring.shared_tasks.submissions"

SUBMISSION = Kind(
    name="submission",
    model=Submission,
    hears=True,
    work=late(f"{_BOARDS}:submission_work"),
    clean=late(f"{_BOARDS}:submission_over"),
    campaign="track__task__campaign",
    stoppable=False,
    large=("public", "final"),
)
BOARD = Kind(
    name="board",
    model=TaskBoard,
    hears=True,
    work=late(f"{_BOARDS}:board_work"),
    ready=late(f"{_QUEUE}:board_ready"),
    clean=late(f"{_QUEUE}:board_over"),
    tend=late(f"{_QUEUE}:boards_due"),
    campaign="task__campaign",
    who="",
    title=attrgetter("part"),
    stoppable=False,
    large=("content",),
)

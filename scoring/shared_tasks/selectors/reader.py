"""Who reads a board, in two statements that are not composed anew.

The plain case is somebody with a login who does not organise the task. At anything else there is no
reader here, and `access.task_get` decides, which also words every refusal.
"""

from __future__ import annotations

from typing import NamedTuple

from django.db import connection

from annotation.selectors.collecting.whole import select
from annotation.selectors.people.sessions import login_in, session_text, stands
from scoring.shared_tasks.models import SharedTask, Team
from scoring.shared_tasks.selectors.access import TaskStanding

State = SharedTask.State


class BoardReader(NamedTuple):
    """An account and what it is in a task. `team` is a number where the account is in one;
    `withdrawn` counts submissions; `track` says whether the track that is asked for is there."""

    user: int
    username: str
    password: str
    active: bool
    everywhere: bool
    staff: bool
    owns: bool
    researches: bool
    task: int
    state: str
    title: str
    hide_teams: bool
    team: int | None
    withdrawn: int
    track: bool

    @property
    def sees(self) -> tuple[object, ...]:
        """What decides about the page, besides the board's state: the same for most readers."""
        hides = self.hide_teams and self.state != State.PUBLISHED
        own = self.team if hides else None
        return (
            self.task, self.state, self.title, bool(self.hide_teams), own, self.withdrawn,
            bool(self.researches),
        )  # fmt: skip


_READER = {
    "user": "account.id",
    "username": "account.username",
    "password": "account.password",
    "active": "account.is_active",
    "everywhere": "account.is_superuser",
    "staff": "account.is_staff",
    "owns": """EXISTS (
        SELECT 1 FROM annotation_membership member
        WHERE member.campaign_id = task.campaign_id AND member.user_id = account.id
          AND member.role = 'owner')""",
    "researches": """EXISTS (
        SELECT 1 FROM annotation_membership member
        WHERE member.user_id = account.id AND member.role IN ('owner', 'researcher'))""",
    "task": "task.id",
    "state": "task.state",
    "title": "task.title",
    "hide_teams": "task.hide_teams",
    "team": """(
        SELECT member.team_id FROM shared_tasks_teammember member
        WHERE member.task_id = task.id AND member.user_id = account.id)""",
    "withdrawn": """(
        SELECT count(*) FROM shared_tasks_submission submission
        JOIN shared_tasks_track track ON track.id = submission.track_id
        WHERE track.task_id = task.id AND submission.withdrawn_at IS NOT NULL)""",
    "track": """EXISTS (
        SELECT 1 FROM shared_tasks_track track
        WHERE track.task_id = task.id AND track.name = %s)""",
}
_READER_SQL = select(
    _READER,
    BoardReader,
    "FROM auth_user account, shared_tasks_sharedtask task WHERE account.id = %s AND task.slug = %s",
)


def board_reader(*, session: str, slug: str, track: str) -> BoardReader | None:
    """Return the account of the session, with what it may see of the task; None unless the login
    is still valid, the task is frozen, and it is neither its organiser's nor an administrator's."""
    login = login_in(session_text(session) or "")
    if login is None or login.told:
        return None
    with connection.cursor() as cursor:
        cursor.execute(_READER_SQL, [track, login.user_id, slug])
        row = cursor.fetchone()
    if row is None:
        return None
    found = BoardReader._make(row)
    here = stands(
        login, user_id=found.user, password=found.password, active=bool(found.active),
        administers=bool(found.everywhere or found.staff),
    )  # fmt: skip
    if not here or found.owns or found.everywhere or found.state == State.DRAFT:
        return None
    return found


def task_of(reader: BoardReader) -> tuple[SharedTask, TaskStanding]:
    """The task, and the standing of its reader, as models."""
    task = SharedTask.objects.select_related("campaign").get(pk=reader.task)
    team = None if reader.team is None else Team.objects.filter(pk=reader.team).first()
    return task, TaskStanding(False, team)

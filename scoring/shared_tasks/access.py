"""Who may see which task, and as what; and what pages read of it.

Organisers are the owners of the task's campaign and administrators. Everybody with a login sees a
task once it is frozen, and without one its description; everything of it once it is published. A
draft is not there for others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

from django.contrib.auth.models import User as UserModel
from django.core.cache import cache
from django.db import connection
from django.db.models import Count, Q, QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from annotation.access import User, rights
from annotation.accounts.login import login_in, session_text, stands
from annotation.errors import NotAllowed, NotFound
from annotation.models import Campaign, Judgment, Membership
from annotation.models.fields import token_digest
from annotation.sheets.sql import select
from paraanno import clock
from scoring.shared_tasks.models import (
    DayCount,
    SharedTask,
    Submission,
    TaskBoard,
    TaskFile,
    Team,
    TeamMember,
    Track,
)

State = SharedTask.State


@dataclass(frozen=True, slots=True)
class TaskStanding:
    """What somebody is in a task: its organiser, a member of a team, or a reader."""

    organises: bool
    team: Team | None


def tasks_for(*, user: User) -> QuerySet[SharedTask]:
    """The tasks that the user may see, newest first."""
    if not user.is_authenticated:
        return SharedTask.objects.filter(state=State.PUBLISHED)
    if user.is_superuser:
        return SharedTask.objects.all()
    own = Membership.objects.filter(user_id=user.pk, role=Membership.Role.OWNER)
    return SharedTask.objects.filter(~Q(state=State.DRAFT) | Q(campaign__in=own.values("campaign")))


def campaigns_organised(*, user: User) -> QuerySet[Campaign]:
    """The campaigns of which the user may make tasks."""
    if user.is_authenticated and user.is_superuser:
        return Campaign.objects.all()
    if not user.is_authenticated:
        return Campaign.objects.none()
    own = Membership.objects.filter(user_id=user.pk, role=Membership.Role.OWNER)
    return Campaign.objects.filter(pk__in=own.values("campaign"))


def task_get(*, user: User, slug: str, organise: bool = False) -> tuple[SharedTask, TaskStanding]:
    """The task and what the user is in it.

    Raises NotFound for a task that the user may not see, NotAllowed for one that he or she does not
    organise if `organise`.
    """
    task = SharedTask.objects.select_related("campaign").filter(slug=slug).first()
    if task is None:
        raise NotFound(_("There is no such task."))
    organises = rights(user=user, campaign=task.campaign).own
    seen = task.state == State.PUBLISHED or (user.is_authenticated and task.state != State.DRAFT)
    if not organises and not seen:
        raise NotFound(_("There is no such task."))
    if organise and not organises:
        raise NotAllowed(_("Only the owners of its campaign can organise a task."))
    team = None
    if user.is_authenticated:
        team = Team.objects.filter(task=task, members__user_id=user.pk).first()
    return task, TaskStanding(organises, team)


def task_for_strangers(*, slug: str) -> SharedTask:
    """A frozen task, of which people without a login see the description and the dates, and no
    file, board or team. Raises NotFound."""
    task = SharedTask.objects.exclude(state=State.DRAFT).filter(slug=slug).first()
    if task is None:
        raise NotFound(_("There is no such task."))
    return task


def track_get(*, task: SharedTask, name: str) -> Track:
    """The track of this name. Raises NotFound."""
    track = Track.objects.select_related("task").filter(task=task, name=name).first()
    if track is None:
        raise NotFound(_("The task has no such track."))
    return track


def team_get(*, task: SharedTask, key: UUID) -> Team:
    """A team of the task. Raises NotFound."""
    team = Team.objects.select_related("task").filter(task=task, key=key, is_baseline=False).first()
    if team is None:
        raise NotFound(_("There is no such team."))
    return team


def team_of_token(*, token: str) -> Team:
    """The team that a link is for. Raises NotFound."""
    digest = token_digest(token)
    team = Team.objects.select_related("task").filter(token_hash=digest, is_baseline=False).first()
    if team is None:
        raise NotFound(_("This link is not valid (any more): ask the organiser for a new one."))
    return team


def member_team(standing: TaskStanding) -> Team:
    """The user's own team. Raises NotAllowed for those without one."""
    if standing.team is None:
        raise NotAllowed(_("You are in no team of this task: ask the organiser for a link."))
    return standing.team


def submission_get(*, task: SharedTask, team: Team, key: UUID) -> Submission:
    """A submission of the team. Raises NotFound, also for one of another team."""
    submission = (
        Submission.objects.filter(track__task=task, team=team, key=key)
        .select_related("track__task", "team")
        .first()
    )
    if submission is None:
        raise NotFound(_("There is no such submission."))
    return submission


def submissions_of(*, team: Team) -> QuerySet[Submission]:
    """The submissions of a team, newest first, without their files."""
    return Submission.objects.filter(team=team).select_related("track").order_by("-pk")


# What pages show of a task besides its board.


@dataclass(frozen=True, slots=True)
class TeamLooks:
    """How often a team saw public values of a track while the task was open."""

    team: str
    track: str
    n: int


def teams_of(*, task: SharedTask) -> QuerySet[Team]:
    """Teams with `people` and `sent`, the numbers of their members and submissions."""
    return Team.objects.filter(task=task, is_baseline=False).annotate(
        people=Count("members", distinct=True), sent=Count("submissions", distinct=True)
    )


def looks_of(*, task: SharedTask) -> list[TeamLooks]:
    """Looks by team and track, the most first: every scored submission showed its value once."""
    rows = (
        Submission.objects.filter(track__task=task, baseline="", status="done")
        .values_list("team__name", "track__name")
        .annotate(n=Count("*"))
        .order_by("-n", "team__name", "track__name")
    )
    return [TeamLooks(*row) for row in rows]


def left_today(*, task: SharedTask, team: Team) -> dict[str, int]:
    """How many submissions a team may still make today, by track."""
    today = clock.now().date()
    counts = DayCount.objects.filter(team=team, day=today)
    made = dict(counts.values_list("track__name", "n"))
    failed = failed_on(today).filter(team=team).values_list("track__name")
    for name, n in failed.annotate(Count("pk")).order_by():
        made[name] -= n
    tracks = Track.objects.filter(task=task).values_list("name", flat=True)
    return {name: max(0, task.per_day - made.get(name, 0)) for name in tracks}


def failed_on(day: date) -> QuerySet[Submission]:
    """The submissions of a day (UTC) that could not be scored. Their files had been accepted, so
    that it was no fault of their teams: they are given back to the limit of the day."""
    start = datetime.combine(day, time.min, tzinfo=UTC)
    of_day = Submission.objects.filter(created_at__gte=start, created_at__lt=start + timedelta(1))
    return of_day.filter(status=Submission.Status.FAILED)


def has_newer_judgments(*, task: SharedTask) -> bool:
    """Whether the campaign was judged after the task was frozen; organisers see it."""
    if task.frozen_at is None:
        return False
    rows = Judgment.objects.filter(campaign_id=task.campaign_id, recorded_at__gt=task.frozen_at)
    return rows.exists()


def public_points(*, track: Track) -> list[tuple[str, datetime, dict[str, float | None]]]:
    """Teams with the times and public values of their scored submissions, in order of time."""
    rows = Submission.objects.filter(
        track=track, status="done", withdrawn_at=None, baseline="", public__isnull=False
    )
    points = rows.order_by("pk").values_list("team__name", "created_at", "public")
    return [(team, at, public or {}) for team, at, public in points]


# What tasks store about a person.


def tasks_of(user: UserModel) -> Mapping[str, Iterable[Mapping[str, Any]]]:
    """Teams and submissions, for the zip of a person's data."""
    teams = TeamMember.objects.filter(user=user).order_by("pk")
    sent = Submission.objects.filter(created_by=user).order_by("pk")
    return {
        "teams": teams.values("task__slug", "team__name", "created_at"),
        "submissions": sent.values(
            "track__task__slug", "track__name", "name", "note", "sha256", "created_at"
        ),
    }


# The board that readers get: the public part while a task is open, then the final one.


PAIRS = ("strict", "half")
ROW = ("ci_low", "ci_high", "rank_low", "rank_high", "group", "letters")
PEOPLE = "people"


def part_shown(task: SharedTask) -> str:
    """Which part a board of the task is of."""
    return "final" if task.over else "public"


def board_of(*, task: SharedTask) -> TaskBoard | None:
    """The newest board of the part that may be shown; None before there is one."""
    board = TaskBoard.objects.filter(task=task, part=part_shown(task)).first()
    return None if board is None or board.content is None else board


def hidden_names(
    *, task: SharedTask, own: Team | None = None, names: bool = False
) -> dict[str, str]:
    """The names that teams have on pages, by their own: where names are hidden until the task is
    published, those of others are codes. `names`: for the organiser."""
    if names or not task.hide_teams or task.state == SharedTask.State.PUBLISHED:
        return {}
    teams = Team.objects.filter(task=task, is_baseline=False)
    return {
        team.name: f"team {str(team.key)[:4]}" for team in teams if own is None or team.pk != own.pk
    }


def rows_shown(rows: list[dict[str, Any]], hidden: Mapping[str, str]) -> list[dict[str, Any]]:
    """Rows with the names that may be seen; the file's digest and name are the team's own.
    `equal_to` is the name of the submission that has the same bytes.

    What was withdrawn after the board was made is gone at once.
    """
    keys = [row["key"] for row in rows]
    gone = Submission.objects.filter(key__in=keys, withdrawn_at__isnull=False)
    withdrawn = {str(key) for key in gone.values_list("key", flat=True)}
    shown = []
    for row in rows:
        if row["key"] in withdrawn:
            continue
        if row["team"] in hidden:
            row = {**row, "team": hidden[row["team"]], "submission": row["key"][:4], "sha256": ""}
        shown.append(row)
    names = {row["key"]: _called(row) for row in shown}
    return [{**row, "equal_to": names.get(row.get("equal_to", ""))} for row in shown]


def _called(row: Mapping[str, Any]) -> str:
    """A submission with its team, which the names that it gets by itself have in them already."""
    team, name = row["team"], row["submission"]
    return str(name if name.startswith(f"{team}-") else f"{team} {name}")


def board_json(*, task: SharedTask, hidden: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The board for programs: `{task, state, part, tracks: {T: {measure, rows: [...]}}}`.

    Rows of pairs have strict and half, others value; all have team, submission, ends of the
    interval and of the ranks (None for further submissions of a team, which stand below), group,
    letters and `equal_to`, the submission that has the same bytes. `ceiling` has the same values of
    one annotator against the others, with the number of annotators, or is None. There are no
    p-values while the task is open.
    """
    board = board_of(task=task)
    content = (board.content if board else None) or {"tracks": {}}
    tracks = {}
    for track in task.tracks.all():
        entry = content["tracks"].get(track.name, {"rows": []})
        values = PAIRS if track.of_pairs else ("value",)
        extra = ("metrics",) if track.measure == PEOPLE else ()
        tracks[track.name] = {
            "measure": track.measure,
            "ceiling": entry.get("ceiling"),
            "rows": [
                {
                    "team": row["team"],
                    "submission": row["submission"],
                    **{name: row.get(name) for name in (*values, *ROW, *extra)},
                    "baseline": row["baseline"],
                    "primary": row["primary"],
                    "equal_to": row.get("equal_to"),
                }
                for row in rows_shown(entry["rows"], hidden or {})
            ],
        }
    return {
        "task": task.slug,
        "state": task.state,
        "part": part_shown(task),
        "tracks": tracks,
    }


# What a board shows as one short text, so that readers get it from the cache until it changes.


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
    page: LatePage[T] | None = cache.get(key)
    if page is not None and not cache.add(f"{key}-looked", 1, LOOK):
        return page
    with _one_looks:
        there: LatePage[T] | None = cache.get(key) if page is None else None
        if there is not None:
            return there
        now = stamp()
        if page is None or page.stamp != now:
            page = LatePage(now, make(now))
        cache.set(key, page, LAG)
    return page


def cached(stamp: str, what: tuple[str, ...], make: Callable[[], T]) -> T:
    """What was made of the board as of this stamp, from the cache if it is there; of the threads
    that ask at once, one makes it and the others wait."""
    key = f"task-board-{_digest(stamp, what)}"
    value: T | None = cache.get(key)
    if value is None:
        with _one_makes:
            value = cache.get(key)
            if value is None:
                value = make()
                cache.set(key, value, KEPT_FOR)
    return value


def _digest(*parts: object) -> str:
    return sha256(repr(parts).encode()).hexdigest()


# Who reads a board, in two statements that are not composed anew.
#
# The plain case is somebody with a login who does not organise the task. At anything else there is
# no reader here, and `access.task_get` decides, which also words every refusal.


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
            self.task,
            self.state,
            self.title,
            bool(self.hide_teams),
            own,
            self.withdrawn,
            bool(self.researches),
        )


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
    if login is None or login.has_messages:
        return None
    with connection.cursor() as cursor:
        cursor.execute(_READER_SQL, [track, login.user_id, slug])
        row = cursor.fetchone()
    if row is None:
        return None
    reader = BoardReader._make(row)
    here = stands(
        login,
        user_id=reader.user,
        password=reader.password,
        active=bool(reader.active),
        administers=bool(reader.everywhere or reader.staff),
    )
    if not here or reader.owns or reader.everywhere or reader.state == State.DRAFT:
        return None
    return reader


def task_of(reader: BoardReader) -> tuple[SharedTask, TaskStanding]:
    """The task, and the standing of its reader, as models."""
    task = SharedTask.objects.select_related("campaign").get(pk=reader.task)
    team = None if reader.team is None else Team.objects.filter(pk=reader.team).first()
    return task, TaskStanding(False, team)


# The fingerprint of a frozen task.


FROZEN = TaskFile.Role.FROZEN


def fingerprint_of(digests: Mapping[str, str]) -> str:
    """One digest of files by their names."""
    lines = "".join(f"{name} {digests[name]}\n" for name in sorted(digests))
    return hashlib.sha256(lines.encode()).hexdigest()


def task_fingerprint(*, task: SharedTask) -> str:
    """The fingerprint from the digests of the files that freezing made; one query."""
    rows = TaskFile.objects.filter(task=task).exclude(role__in=TaskFile.BESIDE)
    return fingerprint_of(
        {
            "frozen" if role == FROZEN else name: digest
            for role, name, digest in rows.values_list("role", "name", "sha256")
        }
    )

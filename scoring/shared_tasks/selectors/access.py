"""Who may see which task, and as what.

Organisers are the owners of the task's campaign and administrators. Everybody with a login sees a
task once it is frozen, and without one once it is published; a draft is not there for others.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotation.errors import NotAllowed, NotFound
from annotation.models import Campaign, Membership
from annotation.models.fields import token_digest
from annotation.selectors.access import User, rights
from scoring.shared_tasks.models import SharedTask, Submission, Team, Track

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
    found = (
        Submission.objects.filter(track__task=task, team=team, key=key)
        .select_related("track__task", "team")
        .first()
    )
    if found is None:
        raise NotFound(_("There is no such submission."))
    return found


def submissions_of(*, team: Team) -> QuerySet[Submission]:
    """The submissions of a team, newest first, without their files."""
    return Submission.objects.filter(team=team).select_related("track").order_by("-pk")

"""Teams: added by the organiser, joined by a link."""

from __future__ import annotations

import secrets

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid, NotFound
from annotation.models.fields import token_digest
from annotation.selectors.access import refuse_participant
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from scoring.shared_tasks.models import SharedTask, Team, TeamMember
from scoring.shared_tasks.services.baselines import TEAM

MOST_TEAMS = 500
MOST_METHOD = 20_000


def team_add(*, task: SharedTask, name: str, actor: Actor) -> tuple[Team, str]:
    """Add a team; return it with the token of its link, which is stored only as a hash.

    Raises Invalid for a name that cannot be one, Conflict if the task has it already, or is over.
    """
    name = " ".join(name.split())
    if not name or len(name) > 60 or not name.isprintable():
        raise Invalid(_("A team needs a name of at most 60 characters."))
    if name.casefold() == TEAM:
        raise Invalid(_("This name is that of the baselines: choose another one."))
    if task.over:
        raise Conflict(_("The task is closed: it takes no more teams."))
    token = secrets.token_urlsafe(32)
    try:
        with short_write():
            if Team.objects.filter(task=task).count() >= MOST_TEAMS:
                raise Conflict(_("A task has at most %(most)s teams.") % {"most": MOST_TEAMS})
            team = Team.objects.create(task=task, name=name, token_hash=token_digest(token))
            audit(actor=actor, verb="add team", about=team, campaign=task.campaign, team=name)
    except IntegrityError as error:
        raise Conflict(_("There is a team called %(name)s already.") % {"name": name}) from error
    return team, token


def team_link(*, team: Team, actor: Actor) -> str:
    """Make a new link to join; the earlier one stops working. Returns its token."""
    token = secrets.token_urlsafe(32)
    with short_write():
        Team.objects.filter(pk=team.pk).update(token_hash=token_digest(token))
        audit(actor=actor, verb="new team link", about=team, campaign=team.task.campaign)
    return token


def team_join(*, token: str, user: User) -> Team:
    """Make the user a member. Doing it again changes nothing.

    Raises NotFound for an unknown token, Conflict for a member of another team of the task, and
    NotAllowed for a participant of a panel.
    """
    refuse_participant(user=user)
    team = Team.objects.filter(token_hash=token_digest(token), is_baseline=False).first()
    if team is None:
        raise NotFound(_("This link is not valid (any more): ask the organiser for a new one."))
    try:
        with short_write():
            member, made = TeamMember.objects.get_or_create(
                task=team.task, user=user, defaults={"team": team}
            )
            if made:
                audit(actor=user, verb="join team", about=team, campaign=team.task.campaign)
    except IntegrityError:
        member = TeamMember.objects.get(task=team.task, user=user)
    if member.team_id != team.pk:
        raise Conflict(_("You are in another team of this task."))
    return team


def method_set(*, team: Team, text: str, actor: Actor) -> None:
    """Keep what a team says it did. Raises Invalid for a text that is too long."""
    if len(text) > MOST_METHOD:
        raise Invalid(_("At most %(most)s characters are kept.") % {"most": MOST_METHOD})
    with short_write():
        Team.objects.filter(pk=team.pk).update(method=text)
        audit(actor=actor, verb="describe method", about=team, campaign=team.task.campaign)

"""Make a task, with its tracks."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from typing import Any, BinaryIO

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.access import refuse_participant
from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Campaign, Scale
from annotation.models.fields import token_digest
from scoring.shared_tasks.models import SharedTask, TaskFile, Team, TeamMember, Track
from scoring.shared_tasks.submissions import TEAM, file_add
from scoring.stats.shared_tasks.board import RULES
from scoring.stats.shared_tasks.submissions import MOST_BYTES

Measure = Track.Measure
MOST_TRACKS = 20
RESERVED = ("new", "join")


@dataclass(frozen=True, slots=True)
class TrackKind:
    """What a track's name stands for: its measure, and the inputs of White's table 1."""

    measure: str
    reference: bool = True
    gold_parse: bool = False
    auto_parse: bool = False


WHITE = {
    "realization": TrackKind(Measure.PAIRS, False, True, False),
    "hybrid": TrackKind(Measure.PAIRS, True, True, False),
    "metrics": TrackKind(Measure.PAIRS, True, False, True),
}
OF_SCORES = {
    "segment": (Measure.ACC_EQ, Measure.PEARSON, Measure.SPEARMAN),
    "system": (Measure.SOFT, Measure.SYSTEM_PAIRS, Measure.SYSTEM_PEARSON),
}
SYSTEMS = "systems"
CHANGES = ("title", "text", "licence", "opens_at", "closes_at", "per_day", "hide_teams")


def track_kind(name: str, measure: str = "") -> TrackKind:
    """Return what a name stands for: White's tracks, `segment` and `system` (with a measure of
    theirs), `systems`; any other name is a track of pairs where the original may be used.

    Raises Invalid for a measure that the name does not take.
    """
    allowed: Sequence[str] = OF_SCORES.get(name, ())
    if measure and measure not in allowed:
        raise Invalid(
            _("The track %(name)s takes no measure %(measure)s; allowed: %(allowed)s.")
            % {"name": name, "measure": measure, "allowed": ", ".join(allowed) or "-"}
        )
    if name == SYSTEMS:
        return TrackKind(Measure.PEOPLE)
    if allowed:
        return TrackKind(measure or allowed[0])
    return WHITE.get(name, TrackKind(Measure.PAIRS))


def task_create(
    *,
    slug: str,
    campaign: Campaign,
    tracks: Sequence[str],
    scales: Sequence[str] = (),
    gold: str = SharedTask.Gold.SUM,
    public_share: float = 0.3,
    seed: int | None = None,
    title: str = "",
    train: Campaign | None = None,
    actor: Actor,
    **more: Any,
) -> SharedTask:
    """Make a draft. A track is a name, or name:measure. Raises Invalid or Conflict.

    `train` is another campaign, whose texts and gold participants get. Without a seed one is drawn,
    and kept secret: whoever knows the seed could distinguish the public part from the final one.
    Callers check permission first.
    """
    _check(slug, campaign, tracks, scales, gold, public_share)
    if train == campaign:
        raise Invalid(_("The training campaign must be another one than that of the test."))
    kinds = {}
    for text in tracks:
        name, _colon, measure = text.partition(":")
        if name in kinds:
            raise Invalid(_("The track %(name)s is named twice.") % {"name": name})
        _slug(name)
        kinds[name] = track_kind(name, measure)
    if SYSTEMS in kinds and len(kinds) > 1:
        raise Invalid(_("A task of systems has only the track systems."))
    unknown = set(more) - set(CHANGES)
    if unknown:
        raise Invalid(_("A task has no setting %(name)s.") % {"name": min(unknown)})
    try:
        with short_write():
            task = SharedTask.objects.create(
                slug=slug,
                title=title or slug,
                campaign=campaign,
                scales=list(scales),
                gold=gold,
                train_campaign=train,
                kind=SharedTask.Kind.SYSTEMS if SYSTEMS in kinds else SharedTask.Kind.METRICS,
                public_share=public_share,
                created_by_id=actor.pk if actor else None,
                seed=secrets.randbits(62) if seed is None else seed,
                **checked(more),
            )
            Track.objects.bulk_create(
                Track(
                    task=task,
                    name=name,
                    position=place,
                    measure=kind.measure,
                    reference=kind.reference,
                    gold_parse=kind.gold_parse,
                    auto_parse=kind.auto_parse,
                )
                for place, (name, kind) in enumerate(kinds.items())
            )
            audit(actor=actor, verb="create task", about=task, campaign=campaign, task=slug)
    except IntegrityError as error:
        raise Conflict(
            _("There is a task called %(slug)s: choose another name.") % {"slug": slug}
        ) from error
    return task


def task_change(*, task: SharedTask, actor: Actor, **changes: Any) -> SharedTask:
    """Change texts, times and limits, as long as they can still be changed: when it opens only in
    a draft, nothing but the texts once it was closed. Raises Invalid or Conflict."""
    checked({"opens_at": task.opens_at, "closes_at": task.closes_at, **changes})
    fixed = set()
    if task.state != SharedTask.State.DRAFT:
        fixed = {"opens_at", "hide_teams"}
    if task.over:
        fixed |= {"closes_at", "per_day"}
    changes = {n: v for n, v in changes.items() if n in CHANGES and v != getattr(task, n)}
    if fixed & set(changes):
        raise Conflict(_("This can no longer be changed: %(name)s.") % {"name": min(fixed)})
    with short_write():
        done = SharedTask.objects.filter(pk=task.pk, state=task.state).update(**changes)
        if not done:
            raise Conflict(_("The task was changed in the meantime: look at it again."))
        audit(actor=actor, verb="change task", about=task, campaign=task.campaign)
    return SharedTask.objects.get(pk=task.pk)


def checked(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The settings, whose times and limits make sense. Raises Invalid."""
    opens, closes = changes.get("opens_at"), changes.get("closes_at")
    if isinstance(opens, datetime) and isinstance(closes, datetime) and closes <= opens:
        raise Invalid(_("The task must close after it opens."))
    per_day = changes.get("per_day", 1)
    if not 1 <= int(per_day) <= 1000:
        raise Invalid(_("From 1 to 1000 submissions a day are possible."))
    return dict(changes)


def _check(
    slug: str,
    campaign: Campaign,
    tracks: Sequence[str],
    scales: Sequence[str],
    gold: str,
    public_share: float,
) -> None:
    _slug(slug)
    if slug in RESERVED:
        raise Invalid(
            _("%(name)s is an address of this site: choose another name.") % {"name": slug}
        )
    if not 1 <= len(tracks) <= MOST_TRACKS:
        raise Invalid(_("A task needs from 1 to %(most)s tracks.") % {"most": MOST_TRACKS})
    if gold not in RULES:
        raise Invalid(_("Gold is %(rules)s.") % {"rules": " / ".join(RULES)})
    if not 0 <= public_share < 1:
        raise Invalid(_("The public share is from 0 to less than 1."))
    levels = dict(campaign.scales.values_list("name", "level"))
    for name in scales:
        if levels.get(name, Scale.Level.NOMINAL) == Scale.Level.NOMINAL:
            raise Invalid(
                _("The campaign has no ordered scale %(name)s; it has %(known)s.")
                % {"name": name, "known": ", ".join(levels) or "-"}
            )


def _slug(text: str) -> None:
    try:
        validate_slug(text)
    except ValidationError as error:
        raise Invalid(f"{text!r}: {error.messages[0]}") from error
    if len(text) > 40:
        raise Invalid(_("%(name)s is too long: use at most 40 characters.") % {"name": text})


# Teams: added by the organiser, joined by a link.


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


# Files that an organiser adds for participants: parses, n-best lists, training data.


MOST_FILES = 50


def file_attach(
    *, task: SharedTask, role: str, track: Track | None, name: str, stream: BinaryIO, actor: Actor
) -> TaskFile:
    """Add a file as it is; it is never read but for baselines. Raises Invalid or Conflict.

    Before freezing only, so that nobody works with other files than others.
    """
    if role not in TaskFile.ADDED:
        raise Invalid(_("Such a file is made when the task is frozen."))
    name = PurePath(name).name.strip()[:100]
    if not name or not name.isprintable() or (name.endswith(".tsv") and _taken(name)):
        raise Invalid(_("Give the file another name."))
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES or not data:
        raise Invalid(_("A file has from 1 byte to 20 MB."))
    try:
        with short_write():
            # Freezing waits for this row, or this transaction for freezing.
            now = lock_row(SharedTask, task.pk, key=True)
            if now.state != SharedTask.State.DRAFT:
                raise Conflict(_("The task is frozen: its files stay as they are."))
            if TaskFile.objects.filter(task=task).count() >= MOST_FILES:
                raise Conflict(_("A task has at most %(most)s files.") % {"most": MOST_FILES})
            file = file_add(task=task, role=role, name=name, data=data, track=track)
            audit(actor=actor, verb="add task file", about=file, campaign=task.campaign, file=name)
    except IntegrityError as error:
        raise Conflict(_("There is a file %(name)s already.") % {"name": name}) from error
    return file


def _taken(name: str) -> bool:
    return name in ("texts.tsv", "pairs.tsv", "originals.tsv", "references.tsv")

"""Make a task, with its tracks."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, Scale
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from scoring.shared_tasks.models import SharedTask, Track
from scoring.stats.shared_tasks.frozen import RULES

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
                slug=slug, title=title or slug, campaign=campaign, scales=list(scales), gold=gold,
                train_campaign=train,
                kind=SharedTask.Kind.SYSTEMS if SYSTEMS in kinds else SharedTask.Kind.METRICS,
                public_share=public_share, created_by_id=actor.pk if actor else None,
                seed=secrets.randbits(62) if seed is None else seed, **checked(more),
            )  # fmt: skip
            Track.objects.bulk_create(
                Track(
                    task=task, name=name, position=place, measure=kind.measure,
                    reference=kind.reference, gold_parse=kind.gold_parse,
                    auto_parse=kind.auto_parse,
                )
                for place, (name, kind) in enumerate(kinds.items())
            )  # fmt: skip
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
    slug: str, campaign: Campaign, tracks: Sequence[str], scales: Sequence[str], gold: str,
    public_share: float,
) -> None:  # fmt: skip
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
    known = dict(campaign.scales.values_list("name", "level"))
    for name in scales:
        if known.get(name, Scale.Level.NOMINAL) == Scale.Level.NOMINAL:
            raise Invalid(
                _("The campaign has no ordered scale %(name)s; it has %(known)s.")
                % {"name": name, "known": ", ".join(known) or "-"}
            )


def _slug(text: str) -> None:
    try:
        validate_slug(text)
    except ValidationError as error:
        raise Invalid(f"{text!r}: {error.messages[0]}") from error
    if len(text) > 40:
        raise Invalid(_("%(name)s is too long: use at most 40 characters.") % {"name": text})

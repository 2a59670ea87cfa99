"""Deletion of an account, and with it of the person in all campaigns.

By each campaign's rule judgments keep their code, without anything that says whose it is, or are
deleted. In both cases login, background answers, remarks, comments, ids of platforms and e-mail
addresses go. The log keeps what was done, and no longer by whom.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import router
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import (
    Annotator,
    AuditEntry,
    BackgroundAnswer,
    Campaign,
    Invitation,
    Judgment,
    JudgmentVersion,
    Letter,
    PartOutcome,
    Remark,
    Sheet,
    Skip,
    Slot,
    SlotEvent,
)
from annotation.selectors.accounts.erasure import ErasedPart, erasure_plan
from annotation.selectors.people.parts import part_of
from annotation.services.accounts.sessions import sessions_drop
from annotation.services.audit import Actor, audit
from annotation.services.people.exclusions import annotator_lock, places_free
from annotation.services.people.parts import give_back_all, ids_forget, part_end
from annotation.services.transactions import short_write
from paraanno import clock

ERASED = "erased"
# What other apps do in the same transaction: (campaigns, those of which judgments go).
FURTHER: list[Callable[[Sequence[Campaign], Sequence[Campaign]], None]] = []


@dataclass(frozen=True, slots=True)
class Erased:
    """Counts for the log and the page; no names."""

    campaigns: int
    kept: int
    removed: int


def account_erase(*, user: User, typed: str, actor: Actor) -> Erased:
    """Delete the account as `erasure_plan` says. `typed` is its name, as somebody who means it
    has typed it. All or nothing, in one transaction.

    Raises Invalid for another name, Conflict for the only owner of a campaign and for the last
    administrator. Callers check that the actor is the person or an administrator.
    """
    if typed.strip() != user.username:
        raise Invalid(_("Type the name %(name)s to delete the account.") % {"name": user.username})
    now = clock.now()
    by = None if actor is not None and actor.pk == user.pk else actor
    with short_write():
        user = User.objects.select_for_update().get(pk=user.pk)
        # As setting a role does, so that no two owners leave each other alone.
        locked = Campaign.objects.select_for_update(no_key=True).order_by("pk")
        list(locked.filter(memberships__user=user))
        plan = erasure_plan(user=user)
        if plan.only_owner_of:
            names = ", ".join(one.name for one in plan.only_owner_of)
            raise Conflict(_("Name another owner first of: %(names)s.") % {"names": names})
        if plan.last_admin:
            raise Conflict(_("This is the only administrator: name another one first."))
        for part in plan.parts:
            _erase_in(part, user, now, by)
        removed = [part.campaign for part in plan.parts if part.removes and part.annotator]
        for further in FURTHER:
            further([part.campaign for part in plan.parts], removed)
        _forget(user)
        found = Erased(
            len(plan.parts), sum(one.judgments for one in plan.parts if not one.removes),
            sum(one.judgments for one in plan.parts if one.removes),
        )  # fmt: skip
        user.delete()
        audit(
            actor=by, verb="erase person", about=User(), campaign=None, campaigns=found.campaigns,
            kept=found.kept, removed=found.removed,
        )  # fmt: skip
    return found


def _erase_in(part: ErasedPart, user: User, now: datetime, by: Actor) -> None:
    annotator = part.annotator
    if annotator is not None:
        annotator_lock(annotator)
        _forget_invitation(annotator)
        SlotEvent.objects.filter(annotator=annotator, actor=user).update(actor=None)
        Remark.objects.filter(annotator=annotator).delete()
        if part.removes:
            _remove(annotator, now)
        else:
            _detach(annotator, now)
    audit(
        actor=by, verb="erase person", about=User(), campaign=part.campaign,
        judgments="removed" if part.removes else "kept", n=part.judgments,
    )  # fmt: skip


def _forget_invitation(annotator: Annotator) -> None:
    """An invitation for one person may name them."""
    rows = Invitation.objects.filter(annotators=annotator, max_uses=1)
    Letter.objects.filter(invitation__in=rows).delete()
    rows.update(note="", email="")


def _detach(annotator: Annotator, now: datetime) -> None:
    """Leave the code and the values alone."""
    give_back_all(annotator, now)
    if (part := part_of(annotator=annotator)) is not None:
        part_end(part=part, outcome=PartOutcome.WITHDRAWN, now=now)
    ids_forget(annotator=annotator)
    BackgroundAnswer.objects.filter(annotator=annotator).delete()
    Judgment.objects.filter(annotator=annotator).exclude(comment="").update(comment="")
    versions = JudgmentVersion.objects.filter(judgment__annotator=annotator)
    versions.exclude(comment="").update(comment="")
    Skip.objects.filter(annotator=annotator).update(reason=ERASED)
    Annotator.objects.filter(pk=annotator.pk).update(user=None, invitation=None)


def _remove(annotator: Annotator, now: datetime) -> None:
    """Delete the annotator with everything; their places go to others."""
    places_free(annotator, now, None)
    _delete(JudgmentVersion.objects.filter(judgment__annotator=annotator))
    _delete(Judgment.objects.filter(annotator=annotator))
    _delete(Skip.objects.filter(annotator=annotator))
    Sheet.objects.filter(for_annotator=annotator).delete()
    SlotEvent.objects.filter(annotator=annotator).update(annotator=None)
    Slot.objects.filter(annotator=annotator).update(annotator=None)
    log = AuditEntry.objects.filter(campaign=annotator.campaign, about=annotator.code)
    log.update(about="", object_id=ERASED, data={})
    annotator.delete()


def _delete(rows: QuerySet) -> None:
    """In one statement: Django would first load every judgment."""
    rows.order_by()._raw_delete(router.db_for_write(rows.model))


def _forget(user: User) -> None:
    """What names the person and is no row of theirs."""
    AuditEntry.objects.filter(object_type="user", object_id=str(user.pk)).update(object_id=ERASED)
    if user.email:
        Letter.objects.filter(to__iexact=user.email).delete()
        Invitation.objects.filter(email__iexact=user.email).update(email="", note="")
    kind = ContentType.objects.get_for_model(User)
    LogEntry.objects.filter(content_type=kind, object_id=str(user.pk)).delete()
    sessions_drop(user=user)  # By their list: to read every session would hold saves up.

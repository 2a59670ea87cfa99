"""Exclude from the statistics, and lift exclusions; nothing is deleted."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Invalid, NotAllowed
from annotation.mail.emails import letters_forget
from annotation.models import (
    Annotator,
    AuditEntry,
    BackgroundAnswer,
    Campaign,
    Consent,
    Exclusion,
    Invitation,
    Item,
    Judgment,
    Letter,
    Membership,
    PartOutcome,
    Phrase,
    Scale,
    SheetEntry,
    Slot,
    SlotEvent,
    Substitution,
    System,
    Withdrawal,
)
from annotation.models.people import OWN_WISH
from annotation.people.annotators import (
    give_back_all,
    ids_forget,
    part_end,
    part_of,
)
from annotation.sheets import slots
from annotation.sheets.slots import sheets_lock, slots_match, slots_void
from annotation.sheets.sql import on_own_list
from paraanno import clock
from paraanno.common.records import columns
from paraanno.common.texts import Sentence

Target = Annotator | Phrase | Item | Substitution | System
WORDS = {
    "annotator": gettext_lazy("annotator"),
    "phrase": gettext_lazy("phrase"),
    "item": gettext_lazy("item"),
    "substitution": gettext_lazy("substitution"),
    "system": gettext_lazy("system"),
}


def exclusion_add(
    *,
    target: Target,
    reason: str,
    actor: Actor,
    free_slots: bool = True,
    kind: str = Exclusion.Kind.EXCLUSION,
) -> Exclusion:
    """Exclude the target from all statistics.

    For an annotator, `free_slots` voids their slots and opens a new one for each, so that others
    fill the gap; their judgments are kept as surplus. Raises Invalid if the target is already
    excluded or no reason is given.
    """
    if not reason.strip():
        raise Invalid(_("Give a reason: it appears in every report."))
    now = clock.now()
    column = target._meta.model_name or ""
    campaign: Campaign = target.campaign
    try:
        with short_write():
            if isinstance(target, Annotator):
                lock_row(Annotator, target.pk)
            exclusion = Exclusion.objects.create(
                campaign=campaign,
                kind=kind,
                **columns("reason", reason if isinstance(reason, Sentence) else reason.strip()),
                starts_at=now,
                created_by_id=actor.pk if actor else None,
                **{column: target},
            )
            if isinstance(target, Annotator) and free_slots:
                slots_reassign(target, now, actor)
            audit(
                actor=actor,
                verb="exclude",
                about=target,
                campaign=campaign,
                reason=str(reason),
                free_slots=free_slots,
            )
    except IntegrityError as error:
        raise Invalid(_("This %(what)s is excluded already.") % {"what": WORDS[column]}) from error
    return exclusion


def slots_reassign(annotator: Annotator, now: datetime, actor: Actor) -> None:
    """Void the places of the locked annotator, and open others in their stead."""
    held = Slot.objects.filter(annotator=annotator, state__in=[slots.CLAIMED, slots.DONE])
    sheets = sheets_lock(held.values_list("sheet", flat=True))
    gone = list(slots.locked(held.order_by("pk")))
    Judgment.objects.filter(slot__in=[slot.pk for slot in gone]).update(
        status=Judgment.Status.SURPLUS
    )
    slots_void(gone, now=now, actor=actor)
    slots_match(campaign=annotator.campaign, sheets=sheets, now=now, actor=actor)


def exclusion_lift(*, exclusion: Exclusion, actor: Actor, returning: bool = False) -> Exclusion:
    """End an exclusion. An annotator's slots are restored where one is still free.

    Their work counts again. A sheet that was not finished, or has had an answer cleared since, is
    open again. Raises NotAllowed for a withdrawal, unless the annotator is returning.
    """
    now = clock.now()
    if exclusion.kind == Exclusion.Kind.WITHDRAWAL and not returning:
        raise NotAllowed(_("They withdrew themselves: send them a new invitation."))
    with short_write():
        if exclusion.annotator is not None:
            lock_row(Annotator, exclusion.annotator.pk)
        changed = Exclusion.objects.filter(pk=exclusion.pk, ends_at=None).update(
            ends_at=now, lifted_by_id=actor.pk if actor else None
        )
        exclusion.refresh_from_db()
        if not changed:
            return exclusion
        if exclusion.annotator is not None:
            _restore_slots(exclusion.annotator, now, actor)
        audit(actor=actor, verb="lift exclusion", about=exclusion, campaign=exclusion.campaign)
    return exclusion


def _restore_slots(annotator: Annotator, now: datetime, actor: Actor) -> None:
    last = SlotEvent.objects.filter(slot=OuterRef("pk")).order_by("-pk").values("kind")[:1]
    lost = Slot.objects.filter(annotator=annotator, state=slots.VOID).annotate(last=Subquery(last))
    lost = lost.filter(last=SlotEvent.Kind.VOIDED)
    sheets = sheets_lock(lost.values_list("sheet", flat=True))
    # Shared sheets and repeats always have room.
    own = {one.pk for one in sheets if one.shared or one.for_annotator_id is not None}
    rows = Slot.objects.filter(sheet__in=sheets, state=slots.FREE).order_by("pk")
    listed = on_own_list(annotator=annotator, items=[one.item_id for one in sheets])
    theirs = {one.pk for one in sheets if one.item_id in listed}
    free = {slot.sheet_id: slot for slot in slots.locked(rows) if slot.sheet_id in theirs}
    void = lost.filter(sheet__in=sheets).order_by("pk")
    back = [slot for slot in void if slot.sheet_id in own or slot.sheet_id in free]
    complete = _complete(annotator, {slot.sheet_id for slot in back})
    done = [slot for slot in back if slot.done_at is not None and slot.sheet_id in complete]
    # The annotator withdrew in the meantime: only finished sheets are restored.
    left = Withdrawal.objects.filter(annotator=annotator, ended_at=None).exists()
    opened = [] if left else [slot for slot in back if slot not in done]
    back = done + opened
    slots_void(
        (free[slot.sheet_id] for slot in back if slot.sheet_id in free), now=now, actor=actor
    )
    Slot.objects.filter(pk__in=[slot.pk for slot in done]).update(state=slots.DONE)
    Slot.objects.filter(pk__in=[slot.pk for slot in opened]).update(
        state=slots.CLAIMED,
        claimed_at=Coalesce("claimed_at", Value(now)),
        done_at=None,
        lease_expires_at=slots.lease(annotator.campaign, now),
    )
    slots.note_all(back, SlotEvent.Kind.RESTORED, at=now, actor=actor)
    status = Judgment.Status
    given = Q(value__isnull=False) | ~Q(reason="")
    ratings = Judgment.objects.filter(slot__in=[slot.pk for slot in back])
    ratings.update(status=status.DRAFT)
    ratings.filter(given, slot__state=slots.DONE).update(status=status.COUNTED)


def _complete(annotator: Annotator, sheets: set[int]) -> set[int]:
    """Return the ids of the sheets on which the annotator has given every required answer."""
    entries = SheetEntry.objects.filter(sheet__in=sheets)
    questions = Scale.objects.filter(campaign=annotator.campaign, required=True).count()
    wanted = Counter(entries.values_list("sheet", flat=True))
    answers = Judgment.objects.filter(
        Q(value__isnull=False) | ~Q(reason=""),
        annotator=annotator,
        kind=Judgment.Kind.RATING,
        scale__required=True,
        slot__sheet__in=sheets,
    )
    given = Counter(answers.values_list("slot__sheet", flat=True))
    return {sheet for sheet in sheets if given[sheet] == wanted[sheet] * questions}


# Withdrawal: an annotator leaves a campaign, and may return by a new invitation.


Judgments = Withdrawal.Judgments


def annotator_withdraw(
    *, annotator: Annotator, judgments: str = Judgments.KEEP, erase: bool = False
) -> Withdrawal:
    """Withdraw the annotator; idempotent.

    Open sheets are freed and the consent ends. With `judgments="remove"` the annotator's judgments
    are excluded from all statistics and their slots are opened to others. `erase` removes the login
    and the background answers, so that only the code is left. Raises NotAllowed if the campaign
    does not offer the choice, and Invalid for an annotator without a login.
    """
    user, campaign = annotator.user, annotator.campaign
    if user is None:
        raise Invalid(_("Only annotators with a login can withdraw."))
    if judgments not in Judgments.values:
        raise Invalid(_("Choose whether the judgments are kept."))
    if judgments == Judgments.REMOVE and not campaign.allow_removal:
        raise NotAllowed(_("In this campaign judgments are kept."))
    if erase and not campaign.allow_erasure:
        raise NotAllowed(_("In this campaign logins are not erased."))
    now = clock.now()
    pilot_annotators = _pilot_voices(annotator)
    # An erased annotator must not be named by the audit entry of the erasure.
    actor = None if erase else user
    with short_write():
        lock_row(Annotator, annotator.pk)
        left = Withdrawal.objects.filter(annotator=annotator, ended_at=None).first()
        if left is not None:
            return left
        left = Withdrawal.objects.create(
            campaign=campaign, annotator=annotator, judgments=judgments, erased=erase, at=now
        )
        Consent.objects.filter(annotator=annotator, ended_at=None).update(ended_at=now)
        if judgments == Judgments.REMOVE:
            _take_out(annotator, now, actor)
            for one in pilot_annotators:
                _take_out(one, now, actor)
        else:
            give_back_all(annotator, now)
        memberships = Membership.objects.filter(campaign=campaign, user=user)
        memberships.filter(role=Membership.Role.ANNOTATOR).delete()
        part = part_of(annotator=annotator)
        if part is not None:
            part_end(part=part, outcome=PartOutcome.WITHDRAWN, now=now, actor=actor)
        letters = Letter.objects.filter(
            invitation__in=Invitation.objects.filter(annotators=annotator, max_uses=1)
        )
        letters_forget(letters)
        if erase:
            letters.delete()
            ids_forget(annotator=annotator)
            _erase(annotator, user, in_log=memberships.exists())
            Annotator.objects.filter(pk__in=[one.pk for one in pilot_annotators]).update(
                from_pilot=None
            )
        audit(
            actor=actor,
            verb="withdraw",
            about=annotator,
            campaign=campaign,
            judgments=judgments,
            erased=erase,
        )
    return left


def _pilot_voices(annotator: Annotator) -> list[Annotator]:
    """The annotators under which their judgments in pilots are in the campaign."""
    theirs = Q(from_pilot=annotator)
    if annotator.user_id is not None:
        theirs |= Q(campaign=annotator.campaign, from_pilot__user=annotator.user_id)
    return list(Annotator.objects.filter(theirs).order_by("pk"))


def _take_out(annotator: Annotator, now: datetime, actor: Actor) -> None:
    """Replace a researcher's exclusion, which could be lifted, by the annotator's own
    withdrawal.
    """
    Exclusion.objects.filter(annotator=annotator, ends_at=None).update(ends_at=now)
    exclusion_add(target=annotator, reason=OWN_WISH, actor=actor, kind=Exclusion.Kind.WITHDRAWAL)


def _erase(annotator: Annotator, user: User, *, in_log: bool) -> None:
    """Remove every link from the annotator to the user; the log still names members who stay as
    researchers.
    """
    BackgroundAnswer.objects.filter(annotator=annotator).delete()
    Annotator.objects.filter(pk=annotator.pk).update(user=None, invitation=None)
    annotator.user, annotator.invitation = None, None
    if in_log:
        return
    campaign = annotator.campaign
    SlotEvent.objects.filter(slot__campaign=campaign, actor=user).update(actor=None)
    wishes = Exclusion.objects.filter(campaign=campaign)
    wishes.filter(created_by=user).update(created_by=None)
    wishes.filter(lifted_by=user).update(lifted_by=None)
    log = AuditEntry.objects.filter(campaign=campaign)
    log.filter(actor=user).update(actor=None)
    log.filter(person=user).update(person=None)
    log.filter(object_type="user", object_id=str(user.pk)).update(object_id="erased")


def annotator_return(*, annotator: Annotator, actor: Actor) -> None:
    """End the withdrawal; removed judgments count again where a slot is free."""
    now = clock.now()
    with short_write():
        lock_row(Annotator, annotator.pk)
        ended = Withdrawal.objects.filter(annotator=annotator, ended_at=None).update(ended_at=now)
        if not ended:
            return
        own = Exclusion.objects.filter(
            annotator__in=[annotator, *_pilot_voices(annotator)],
            kind=Exclusion.Kind.WITHDRAWAL,
            ends_at=None,
        )
        for one in own.order_by("pk"):
            exclusion_lift(exclusion=one, actor=actor, returning=True)
        audit(actor=actor, verb="come back", about=annotator, campaign=annotator.campaign)

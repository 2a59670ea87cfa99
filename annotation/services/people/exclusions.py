"""Exclude from the statistics, and lift exclusions; nothing is deleted."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from django.db import IntegrityError
from django.db.models import OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.errors import Invalid, NotAllowed
from annotation.models import (
    Annotator,
    Campaign,
    Exclusion,
    Item,
    Judgment,
    Phrase,
    Scale,
    SheetEntry,
    Slot,
    SlotEvent,
    Substitution,
    System,
    Withdrawal,
)
from annotation.selectors.collecting.lists import on_own_list
from annotation.services.audit import Actor, audit
from annotation.services.collecting import slots
from annotation.services.collecting.annotators_per_sheet import sheets_hold, slots_match, slots_void
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.plain.sentence import Sentence
from paraanno.plain.sentence_columns import columns

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
                annotator_lock(target)
            exclusion = Exclusion.objects.create(
                campaign=campaign,
                kind=kind,
                **columns("reason", reason if isinstance(reason, Sentence) else reason.strip()),
                starts_at=now,
                created_by_id=actor.pk if actor else None,
                **{column: target},
            )
            if isinstance(target, Annotator) and free_slots:
                places_free(target, now, actor)
            audit(
                actor=actor, verb="exclude", about=target, campaign=campaign,
                reason=str(reason), free_slots=free_slots,
            )  # fmt: skip
    except IntegrityError as error:
        raise Invalid(_("This %(what)s is excluded already.") % {"what": WORDS[column]}) from error
    return exclusion


def annotator_lock(annotator: Annotator) -> None:
    """Lock the annotator: until the transaction ends they cannot claim, nor take a slot by a late
    save.
    """
    Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)


def places_free(annotator: Annotator, now: datetime, actor: Actor) -> None:
    """Void the places of the locked annotator, and open others in their stead."""
    held = Slot.objects.filter(annotator=annotator, state__in=[slots.CLAIMED, slots.DONE])
    sheets = sheets_hold(held.values_list("sheet", flat=True))
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
            annotator_lock(exclusion.annotator)
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
    sheets = sheets_hold(lost.values_list("sheet", flat=True))
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

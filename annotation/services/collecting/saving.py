"""The save contract.

A save is a PUT of state. It carries a UUID made by the browser and the version it started from:

- repeating a request changes nothing and returns the first response;
- a request based on an older version is refused with the stored value (StaleVersion);
- clearing saves an empty answer, so undo is a save too;
- after the lease has expired the answer goes to the annotator's own slot if that is available,
  else to another slot of the sheet, else it is kept as surplus. No save is discarded.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import (
    Conflict,
    Invalid,
    NotFound,
    RequestReused,
    RevisionClosed,
    StaleVersion,
)
from annotation.models import (
    Annotator,
    Campaign,
    Judgment,
    JudgmentVersion,
    Scale,
    Sheet,
    Slot,
    SlotEvent,
    Withdrawal,
)
from annotation.selectors.collecting import sql
from annotation.services.collecting import slots
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.sight.counted import answers_saved

REASON_LENGTH = 200
COMMENT_LENGTH = 5000


@dataclass(frozen=True, slots=True)
class Answer:
    """A value, or a reason for having none, or neither (cleared)."""

    value: float | None = None
    reason: str = ""
    comment: str = ""

    @property
    def given(self) -> bool:
        return self.value is not None or self.reason != ""


@dataclass(frozen=True, slots=True)
class Saved:
    """The stored answer after a save; `repeated` if the request had been processed before."""

    answer: Answer
    version: int
    recorded_at: datetime
    status: str
    sheet_state: str
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the answer belongs. These rows never change once they exist, so they are read before
    the lock.
    """

    annotator: Annotator
    sheet: Sheet
    substitution_id: int
    scale: Scale
    guideline_id: int | None


def judgment_save(
    *,
    annotator: Annotator,
    sheet_key: UUID,
    substitution_key: UUID,
    scale_key: UUID,
    answer: Answer,
    request_id: UUID,
    base_version: int,
    now: datetime | None = None,
) -> Saved:
    """Store an answer of `annotator` exactly once.

    `base_version` is the version that the answer replaces, 0 for a first answer. Raises NotFound
    (no such place, or never this annotator's), Invalid (value off the scale), StaleVersion,
    RequestReused and RevisionClosed.
    """
    place = _place(annotator, sheet_key, substitution_key, scale_key)
    answer = _checked(answer, place.scale)
    held, collisions = False, 0
    while True:
        try:
            with short_write():
                if held:
                    place.annotator.campaign.status = sql.hold(annotator, place.sheet)
                return _save(place, answer, request_id, base_version, now or clock.now(), held)
        except _HoldFirst:
            held = True
        except IntegrityError as error:
            # Another request stored the same value between our read and our write: the second
            # attempt finds it and responds as repeated or stale.
            collisions += 1
            if collisions == 2:
                raise _collision(request_id) from error


class _HoldFirst(Exception):
    """Raised if more than the slot decides whether the answer counts: restart with all of it
    locked.
    """


def _collision(request: UUID) -> Conflict:
    if JudgmentVersion.objects.filter(request_id=request).exists():
        return RequestReused()
    return Conflict(_("The value is being saved by another request."))


def _place(annotator: Annotator, sheet: UUID, substitution: UUID, scale: UUID) -> _Place:
    found = sql.place(
        campaign_id=annotator.campaign_id, sheet=sheet, substitution=substitution, scale=scale
    )
    if found is None:
        raise NotFound(_("There is no such value on this sheet."))
    return _Place(annotator, *found)


def _checked(answer: Answer, scale: Scale) -> Answer:
    if answer.value is not None and answer.reason:
        raise Invalid(_("Give a value, or a reason why there is none, not both."))
    if answer.value is not None and not (math.isfinite(answer.value) and scale.holds(answer.value)):
        raise Invalid(
            _(
                "%(value)s is not on the scale %(name)s: %(minimum)s to %(maximum)s in "
                "steps of %(step)s."
            )
            % {
                "value": f"{answer.value:g}",
                "name": scale.name,
                "minimum": f"{scale.minimum:g}",
                "maximum": f"{scale.maximum:g}",
                "step": f"{scale.step:g}",
            }
        )
    if len(answer.reason) > REASON_LENGTH or len(answer.comment) > COMMENT_LENGTH:
        raise Invalid(
            _("A reason has at most %(reason)s characters, a comment %(comment)s.")
            % {"reason": REASON_LENGTH, "comment": COMMENT_LENGTH}
        )
    if "\0" in answer.reason or "\0" in answer.comment:
        raise Invalid(_("A text must not contain the character NUL."))
    return answer


def _save(
    place: _Place, answer: Answer, request: UUID, base: int, now: datetime, held: bool
) -> Saved:
    slot = sql.own_slot(place.annotator, place.sheet)
    if slot is None and not _once_held(place):
        raise NotFound(_("There is no such value on this sheet."))
    stored = sql.rating(
        annotator=place.annotator, substitution_id=place.substitution_id, scale=place.scale,
        occasion=place.sheet.occasion,
    )  # fmt: skip
    if stored is not None and stored.version != base:
        return _repeated_or_stale(stored, slot, request, answer)
    if stored is None and base != 0:
        raise StaleVersion(_("This value is no longer stored."), stored=None)
    if (Answer() if stored is None else _answer(stored)) == answer:
        return _unchanged(stored, slot, now)
    if not held and (slot is None or slot.state != Slot.State.CLAIMED):
        raise _HoldFirst
    slot, status = _settle(place, slot, answer, stored, now)
    return _write(place, slot, status, answer, stored, request, now)


def _once_held(place: _Place) -> bool:
    return SlotEvent.objects.filter(annotator=place.annotator, slot__sheet=place.sheet).exists()


def _repeated_or_stale(stored: Judgment, slot: Slot | None, request: UUID, answer: Answer) -> Saved:
    state = slot.state if slot else "surplus"
    done = stored.versions.filter(request_id=request).first()
    if done is None:
        raise StaleVersion(_("This value has changed since."), stored=describe(stored))
    if _answer(done) != answer:
        raise RequestReused(stored=describe(stored))
    return Saved(_answer(done), done.version, done.recorded_at, done.status, state, repeated=True)


def _unchanged(stored: Judgment | None, slot: Slot | None, now: datetime) -> Saved:
    """Handle a double click: the requested state is already stored."""
    state = slot.state if slot else "surplus"
    if stored is None:
        return Saved(Answer(), 0, now, Judgment.Status.DRAFT, state, repeated=True)
    answer = _answer(stored)
    return Saved(answer, stored.version, stored.recorded_at, stored.status, state, repeated=True)


def _answer(row: Judgment | JudgmentVersion) -> Answer:
    return Answer(row.value, row.reason, row.comment)


def describe(stored: Judgment) -> dict[str, object]:
    """Return the stored value as shown in a refusal."""
    return {
        "value": stored.value,
        "reason": stored.reason,
        "comment": stored.comment,
        "version": stored.version,
        "recorded_at": stored.recorded_at.isoformat(),
    }


def _settle(
    place: _Place, slot: Slot | None, answer: Answer, stored: Judgment | None, now: datetime
) -> tuple[Slot | None, str]:
    """Find the slot that the answer belongs to, and its status there."""
    campaign = place.annotator.campaign
    status = Judgment.Status
    if slot is not None and slot.state == Slot.State.DONE:
        open_still = campaign.allow_revision and campaign.status == Campaign.Status.OPEN
        if not open_still or _left(place.annotator):
            raise RevisionClosed(
                _("The sheet is submitted and can no longer be changed."),
                stored=None if stored is None else describe(stored),
            )
        if answer.given:
            return slot, status.COUNTED
        if place.scale.required:
            slots.reopen(slot, campaign=campaign, now=now)
            slot.state = Slot.State.CLAIMED
        return slot, status.DRAFT
    if slot is not None and slot.state == Slot.State.CLAIMED:
        slots.renew(slot, campaign=campaign, now=now)
        return slot, status.DRAFT
    if may_recover(place.annotator):
        found = slots.recover(place.annotator, place.sheet, now=now, own=slot)
        if found is not None:
            return found, status.DRAFT
    slots.keep_as_surplus(place.annotator, place.sheet)
    return slot, status.SURPLUS


def may_recover(annotator: Annotator) -> bool:
    """Whether a late save may still take a slot."""
    if annotator.campaign.status == Campaign.Status.CLOSED:
        return False
    state = sql.claim_state(annotator, locked=True)
    return not (state.excluded or state.full or state.ended)


def _left(annotator: Annotator) -> bool:
    if Withdrawal.objects.filter(annotator=annotator, ended_at=None).exists():
        return True
    return sql.claim_state(annotator, locked=True).ended


def _write(
    place: _Place,
    slot: Slot | None,
    status: str,
    answer: Answer,
    stored: Judgment | None,
    request: UUID,
    now: datetime,
) -> Saved:
    columns = {
        "value": answer.value,
        "reason": answer.reason,
        "comment": answer.comment,
        "status": status,
        "slot": slot,
        "recorded_at": now,
        "guideline_id": place.guideline_id,
    }
    if stored is None:
        stored = Judgment.objects.create(
            campaign_id=place.annotator.campaign_id,
            annotator=place.annotator,
            substitution_id=place.substitution_id,
            scale=place.scale,
            occasion=place.sheet.occasion,
            **columns,
        )
    else:
        base = stored.version
        changed = Judgment.objects.filter(pk=stored.pk, version=base).update(
            version=base + 1, **columns
        )
        if not changed:
            raise IntegrityError("the version moved")
        stored.version = base + 1
    JudgmentVersion.objects.create(
        judgment=stored,
        version=stored.version,
        value=answer.value,
        reason=answer.reason,
        comment=answer.comment,
        status=status,
        guideline_id=place.guideline_id,
        request_id=request,
        recorded_at=now,
    )
    answers_saved()
    return Saved(answer, stored.version, now, status, slot.state if slot else "surplus")

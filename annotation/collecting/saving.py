"""The save contract.

A save is a PUT of state. It carries a UUID made by the browser and the version it started from:

- repeating a request changes nothing and returns the first response;
- a request based on an older version is refused with the stored value (StaleVersion);
- clearing saves an empty answer, so undo is a save too;
- after the lease has expired the answer goes to the annotator's own slot if that is available,
  else to another slot of the sheet, else it is kept as surplus (`slots.recover`). No save is
  discarded.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.collecting.sheets import sheet_get
from annotation.database import short_write
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
    Remark,
    Scale,
    Sheet,
    SheetEntry,
    Skip,
    Slot,
    SlotEvent,
    Withdrawal,
)
from annotation.sheets import slots, sql
from paraanno import clock
from paraanno.observability.counted import answers_saved

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
class _Question:
    """Where the answer belongs. These rows never change once they exist, so they are read before
    the lock.
    """

    annotator: Annotator
    sheet: Sheet
    substitution_id: int
    scale: Scale
    guideline_id: int | None
    by_program: bool


def judgment_save(
    *,
    annotator: Annotator,
    sheet_key: UUID,
    substitution_key: UUID,
    scale_key: UUID,
    answer: Answer,
    request_id: UUID,
    base_version: int,
    by_program: bool = False,
    now: datetime | None = None,
) -> Saved:
    """Store an answer of `annotator` exactly once.

    `base_version` is the version that the answer replaces, 0 for a first answer; `by_program`: it
    comes with a token, not from a browser. Raises NotFound
    (no such question, or never this annotator's), Invalid (value off the scale), StaleVersion,
    RequestReused and RevisionClosed.
    """
    question = _question(annotator, sheet_key, substitution_key, scale_key, by_program)
    answer = _checked(answer, question.scale)
    locked, collisions = False, 0
    while True:
        try:
            with short_write():
                if locked:
                    question.annotator.campaign.status = sql.lock_for_save(
                        annotator, question.sheet
                    )
                return _save(question, answer, request_id, base_version, now or clock.now(), locked)
        except _LockFirst:
            locked = True
        except IntegrityError as error:
            # Another request stored the same value between our read and our write: the second
            # attempt finds it and responds as repeated or stale.
            collisions += 1
            if collisions == 2:
                raise _collision(request_id) from error


class _LockFirst(Exception):
    """Raised if more than the slot decides whether the answer counts: restart with all of it
    locked.
    """


def _collision(request: UUID) -> Conflict:
    if JudgmentVersion.objects.filter(request_id=request).exists():
        return RequestReused()
    return Conflict(_("The value is being saved by another request."))


def _question(
    annotator: Annotator, sheet: UUID, substitution: UUID, scale: UUID, by_program: bool
) -> _Question:
    row = sql.question(
        campaign_id=annotator.campaign_id, sheet=sheet, substitution=substitution, scale=scale
    )
    if row is None:
        raise NotFound(_("There is no such value on this sheet."))
    return _Question(annotator, *row, by_program)


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
    question: _Question, answer: Answer, request: UUID, base: int, now: datetime, locked: bool
) -> Saved:
    slot = sql.own_slot(question.annotator, question.sheet)
    if slot is None and not _ever_claimed(question.annotator, question.sheet):
        raise NotFound(_("There is no such value on this sheet."))
    stored = sql.rating(
        annotator=question.annotator,
        substitution_id=question.substitution_id,
        scale=question.scale,
        occasion=question.sheet.occasion,
    )
    if stored is not None and stored.version != base:
        return _repeated_or_stale(stored, slot, request, answer)
    if stored is None and base != 0:
        raise StaleVersion(_("This value is no longer stored."), stored=None)
    if (Answer() if stored is None else _answer(stored)) == answer:
        return _unchanged(stored, slot, now)
    if not locked and (slot is None or slot.state != Slot.State.CLAIMED):
        raise _LockFirst
    slot, status = _settle(question, slot, answer, stored, now)
    return _write(question, slot, status, answer, stored, request, now)


def _ever_claimed(annotator: Annotator, sheet: Sheet) -> bool:
    return SlotEvent.objects.filter(annotator=annotator, slot__sheet=sheet).exists()


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
    question: _Question, slot: Slot | None, answer: Answer, stored: Judgment | None, now: datetime
) -> tuple[Slot | None, str]:
    """Find the slot that the answer belongs to, and its status there."""
    campaign = question.annotator.campaign
    status = Judgment.Status
    if slot is not None and slot.state == Slot.State.DONE:
        open_still = campaign.allow_revision and campaign.status == Campaign.Status.OPEN
        if not open_still or _has_left(question.annotator):
            raise RevisionClosed(
                _("The sheet is submitted and can no longer be changed."),
                stored=None if stored is None else describe(stored),
            )
        if answer.given:
            return slot, status.COUNTED
        if question.scale.required:
            slots.reopen(slot, campaign=campaign, now=now)
            slot.state = Slot.State.CLAIMED
        return slot, status.DRAFT
    if slot is not None and slot.state == Slot.State.CLAIMED:
        slots.renew(slot, campaign=campaign, now=now)
        return slot, status.DRAFT
    if may_recover(question.annotator):
        recovered = slots.recover(question.annotator, question.sheet, now=now, own=slot)
        if recovered is not None:
            return recovered, status.DRAFT
    slots.keep_as_surplus(question.annotator, question.sheet)
    return slot, status.SURPLUS


def may_recover(annotator: Annotator) -> bool:
    """Whether a late save may still take a slot."""
    if annotator.campaign.status == Campaign.Status.CLOSED:
        return False
    state = sql.claim_state(annotator, locked=True)
    return not (state.excluded or state.full or state.ended)


def _has_left(annotator: Annotator) -> bool:
    if Withdrawal.objects.filter(annotator=annotator, ended_at=None).exists():
        return True
    return sql.claim_state(annotator, locked=True).ended


def _write(
    question: _Question,
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
        "guideline_id": question.guideline_id,
        "by_program": question.by_program,
    }
    if stored is None:
        stored = Judgment.objects.create(
            campaign_id=question.annotator.campaign_id,
            annotator=question.annotator,
            substitution_id=question.substitution_id,
            scale=question.scale,
            occasion=question.sheet.occasion,
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
        guideline_id=question.guideline_id,
        request_id=request,
        recorded_at=now,
    )
    answers_saved()
    return Saved(answer, stored.version, now, status, slot.state if slot else "surplus")


# Flags and comments of annotators.


def remark_add(
    *,
    annotator: Annotator,
    sheet_key: UUID,
    substitution_key: UUID | None,
    flagged: bool,
    text: str,
    request_id: UUID,
    now: datetime | None = None,
) -> Remark:
    """Store a flag or a comment on a sheet or on one of its substitutions.

    Idempotent by `request_id`. A remark with neither flag nor text withdraws the previous one.
    Raises NotFound, and Invalid if the text is too long.
    """
    text = text.strip()
    if len(text) > COMMENT_LENGTH or "\0" in text:
        raise Invalid(
            _("A comment has at most %(most)s characters, and no NUL.") % {"most": COMMENT_LENGTH}
        )
    sheet = sheet_get(annotator=annotator, key=sheet_key)
    substitution = None
    if substitution_key is not None:
        entry = SheetEntry.objects.filter(sheet=sheet, substitution__key=substitution_key).first()
        if entry is None:
            raise NotFound(_("There is no such text on this sheet."))
        substitution = entry.substitution_id
    try:
        with short_write():
            return Remark.objects.create(
                campaign_id=annotator.campaign_id,
                annotator=annotator,
                sheet=sheet,
                substitution_id=substitution,
                flagged=flagged,
                text=text,
                request_id=request_id,
                at=now or clock.now(),
            )
    except IntegrityError:
        made = Remark.objects.filter(annotator=annotator, request_id=request_id).first()
        if made is None:
            raise
        return made


# Skipping a sheet, taking it back, or releasing it.


def sheet_in(annotator: Annotator, key: UUID) -> Sheet:
    """Return the sheet of the annotator's campaign with this key. Raises NotFound."""
    sheet = Sheet.objects.filter(key=key, campaign_id=annotator.campaign_id).first()
    if sheet is None:
        raise NotFound(_("There is no such sheet."))
    return sheet


def slot_for_change(annotator: Annotator, sheet: Sheet) -> Slot | None:
    """Lock what decides whether answers count; return the annotator's slot, None if it is lost.

    The annotator's campaign gets its current status. Raises NotFound if they never had the sheet.
    """
    annotator.campaign.status = sql.lock_for_save(annotator, sheet)
    slot = sql.own_slot(annotator, sheet)
    if slot is None and not _ever_claimed(annotator, sheet):
        raise NotFound(_("There is no such sheet."))
    return slot


def sheet_skip(
    *, annotator: Annotator, sheet_key: UUID, reason: str, now: datetime | None = None
) -> None:
    """Give the sheet back: its slot is free for others, and it is not offered to this annotator
    again.

    Their answers are kept, and belong to a slot again if they return to the sheet. A slot that
    nobody else can use (of a shared sheet, of a repeat, or surplus since k was lowered) becomes
    void. Idempotent. Raises NotFound, Invalid (no reason) and Conflict (already submitted).
    """
    now = now or clock.now()
    reason = reason.strip()
    if not reason or len(reason) > REASON_LENGTH or "\0" in reason:
        raise Invalid(_("Give a reason of at most %(most)s characters.") % {"most": REASON_LENGTH})
    sheet = sheet_in(annotator, sheet_key)
    with short_write():
        slot = slot_for_change(annotator, sheet)
        if slot is not None and slot.state == Slot.State.DONE:
            raise Conflict(_("The sheet is submitted already."))
        Skip.objects.get_or_create(
            annotator=annotator,
            sheet=sheet,
            defaults={"campaign_id": sheet.campaign_id, "reason": reason, "at": now},
        )
        if slot is not None and slot.state == Slot.State.CLAIMED:
            give_back(annotator, sheet, slot, now)


def sheet_take_back(*, annotator: Annotator, sheet_key: UUID, now: datetime | None = None) -> None:
    """Undo `sheet_skip`: the sheet is the annotator's again, on a slot that is still free.

    Without one, what they answer is kept as surplus. Idempotent. Raises NotFound.
    """
    sheet = sheet_in(annotator, sheet_key)
    with short_write():
        slot = slot_for_change(annotator, sheet)
        skipped, _rows = Skip.objects.filter(annotator=annotator, sheet=sheet).delete()
        lost = slot is None or slot.state == Slot.State.VOID
        if skipped and lost and may_recover(annotator):
            slots.recover(annotator, sheet, now=now or clock.now(), own=slot)


def sheet_release(*, annotator: Annotator, sheet_key: UUID, now: datetime | None = None) -> bool:
    """Release a prefetched sheet without answers, so that others can claim it.

    Returns False and changes nothing if the sheet has answers or nobody else can use the slot.
    Raises NotFound.
    """
    sheet = sheet_in(annotator, sheet_key)
    with short_write():
        sql.lock_for_save(annotator, sheet)
        slot = sql.own_slot(annotator, sheet)
        if slot is None or slot.state != Slot.State.CLAIMED or not _wanted_by_others(sheet):
            return False
        if sql.ratings(annotator=annotator, sheet=sheet):
            return False
        give_back(annotator, sheet, slot, now or clock.now())
    return True


def give_back(annotator: Annotator, sheet: Sheet, slot: Slot, now: datetime) -> None:
    """Free a claimed slot for others; the caller has locked annotator and sheet."""
    rows = Slot.objects.filter(pk=slot.pk)
    if _wanted_by_others(sheet):
        rows.update(state=Slot.State.FREE, annotator=None, claimed_at=None, lease_expires_at=None)
        Judgment.objects.filter(slot=slot, annotator=annotator).update(slot=None)
    else:
        rows.update(state=Slot.State.VOID, lease_expires_at=None)
        slots.keep_as_surplus(annotator, sheet)
    slots.note(slot, SlotEvent.Kind.SKIPPED, at=now, annotator_id=annotator.pk)


def _wanted_by_others(sheet: Sheet) -> bool:
    """Whether others can use the slot: not for a repeat, nor if k was lowered in the meantime."""
    if sheet.shared or sheet.for_annotator_id is not None:
        return False
    places = Slot.objects.filter(sheet=sheet).exclude(state=Slot.State.VOID).count()
    sheet.refresh_from_db(fields=["slots_wanted"])
    return places <= sheet.slots_wanted

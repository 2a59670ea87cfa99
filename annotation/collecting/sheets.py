"""A sheet as its annotator may see it: random ids, texts and their own answers, nothing else. And
what they do with it besides answering: remarks, skipping, taking back, releasing."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.collecting.saving import (
    COMMENT_LENGTH,
    REASON_LENGTH,
    may_recover,
    sheet_in,
    slot_for_change,
)
from annotation.database import short_write
from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import (
    Annotator,
    Remark,
    Scale,
    Sheet,
    SheetEntry,
    Skip,
    Slot,
    SlotEvent,
    language_of,
)
from annotation.sheets import slots, sql
from annotation.sheets.own_work import RemarkView, own_remarks, scales_of, texts_of
from paraanno import clock


@dataclass(frozen=True, slots=True)
class AnswerView:
    """The stored answer to one question; version 0 if there has never been one."""

    value: float | None = None
    reason: str = ""
    comment: str = ""
    version: int = 0
    recorded_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class QuestionView:
    """One scale of one substitution with the annotator's answer."""

    scale: Scale
    answer: AnswerView


@dataclass(frozen=True, slots=True)
class SubstitutionView:
    """One replacement in its sentence."""

    key: UUID
    before: str
    text: str
    after: str
    questions: tuple[QuestionView, ...]
    remark: RemarkView


@dataclass(frozen=True, slots=True)
class SheetView:
    """A sheet as displayed. `state` is claimed, done or surplus."""

    key: UUID
    state: str
    phrase: str
    before: str
    after: str
    whole_sentence: bool
    language: str
    substitutions: tuple[SubstitutionView, ...]
    scales: tuple[Scale, ...]
    remark: RemarkView


def sheets_of(*, annotator: Annotator) -> QuerySet[Sheet]:
    """Return the sheets that the annotator holds or once held."""
    held = SlotEvent.objects.filter(annotator=annotator).values("slot__sheet")
    return Sheet.objects.filter(campaign_id=annotator.campaign_id, pk__in=held)


def sheet_get(*, annotator: Annotator, key: UUID) -> Sheet:
    """Return one of the annotator's sheets. Raises NotFound for any other, whether or not it
    exists.
    """
    sheet = sheets_of(annotator=annotator).filter(key=key).select_related("item__phrase").first()
    if sheet is None:
        raise NotFound(_("There is no such sheet."))
    return sheet


def sheet_view(*, annotator: Annotator, sheet: Sheet) -> SheetView:
    """Return the sheet with the annotator's answers; three queries, whatever its length.

    The order of the substitutions is random, but fixed for this annotator and sheet.
    """
    item = sheet.item
    scales = scales_of(annotator.campaign_id)
    rows = texts_of(annotator=annotator, sheet=sheet)
    answers = {
        (row.id, row.scale): AnswerView(
            row.value, row.reason, row.comment, row.version, row.recorded_at
        )
        for row in rows
        if row.scale is not None
    }
    remarks = own_remarks(annotator=annotator, sheet=sheet)
    substitutions = list({row.id: row for row in rows}.values())
    random.Random(annotator.seed ^ sheet.key.int).shuffle(substitutions)  # noqa: S311 no secret
    views = []
    for row in substitutions:
        before, after = row.context(item)
        views.append(
            SubstitutionView(
                key=row.key,
                before=before,
                text=row.text,
                after=after,
                questions=tuple(
                    QuestionView(scale, answers.get((row.id, scale.pk), AnswerView()))
                    for scale in scales
                ),
                remark=remarks.get(row.id, RemarkView()),
            )
        )
    state = rows[0].slot if rows else None
    held = state in (Slot.State.CLAIMED, Slot.State.DONE)
    return SheetView(
        key=sheet.key,
        state=str(state) if held else "surplus",
        phrase=item.phrase.text,
        before=item.before,
        after=item.after,
        whole_sentence=not item.before and not item.after,
        language=language_of(item, annotator.campaign),
        substitutions=tuple(views),
        scales=scales,
        remark=remarks.get(None, RemarkView()),
    )


def sheet_before(*, annotator: Annotator, sheet: Sheet | None) -> Sheet | None:
    """Return the sheet that the annotator finished last before `sheet`, or the newest one if it is
    None.
    """
    done = Slot.objects.filter(annotator=annotator, state=Slot.State.DONE).order_by(
        "-done_at", "-pk"
    )
    if sheet is not None:
        own = done.filter(sheet=sheet).first()
        if own is not None:
            done = done.filter(done_at__lt=own.done_at)
    slot = done.select_related("sheet").first()
    return None if slot is None else slot.sheet


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
            slots.give_back(annotator, sheet, slot, now)


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
        if slot is None or slot.state != Slot.State.CLAIMED or not slots.wanted_by_others(sheet):
            return False
        if sql.ratings(annotator=annotator, sheet=sheet):
            return False
        slots.give_back(annotator, sheet, slot, now or clock.now())
    return True

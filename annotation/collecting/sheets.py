"""A sheet as its annotator may see it: random ids, texts and their own answers, nothing else."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Annotator, Scale, Sheet, Slot, SlotEvent, language_of
from annotation.sheets.own_work import RemarkView, own_remarks, scales_of, texts_of


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

"""Saving a whole sheet by one request (PUT), the ordinary way: answers and handing in.

All in one transaction, through the services of single saves. The fast way for the plain case is
`collecting/at_once.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from annotation.errors import Conflict, DomainError, Invalid, NotFound
from annotation.models import Annotator, Sheet, Slot, SlotEvent
from annotation.selectors.collecting import sql
from annotation.services.collecting.saving import Saved, judgment_save
from annotation.services.collecting.written import GivenAnswer
from annotation.services.quality.actions import sheet_finished
from annotation.services.submitting import submit
from annotation.services.transactions import short_write
from paraanno import clock

MOST_ANSWERS = 500


@dataclass(frozen=True, slots=True)
class SheetSaved:
    """What a request left: for each answer, in the order sent, what is stored or why it is not.

    `state` is the sheet's state as its annotator may know it, claimed or done. `refusal` says why
    the sheet was not handed in although every answer stands.
    """

    answers: tuple[Saved | DomainError, ...]
    state: str
    refusal: DomainError | None = None


def sheet_save(
    *,
    annotator: Annotator,
    sheet_key: UUID,
    answers: Sequence[GivenAnswer],
    done: bool,
    now: datetime | None = None,
) -> SheetSaved:
    """Store the answers, each under the contract of `judgment_save`, and with `done` hand in.

    An answer that is refused holds back neither the others nor their transaction, but the handing
    in. Repeating the request changes nothing. Raises NotFound if the sheet never was this
    annotator's, and Invalid for more than MOST_ANSWERS answers.
    """
    if len(answers) > MOST_ANSWERS:
        raise Invalid(_("At most %(most)s answers in one request.") % {"most": MOST_ANSWERS})
    now = now or clock.now()
    sheet = Sheet.objects.filter(key=sheet_key, campaign_id=annotator.campaign_id).first()
    if sheet is None:
        raise NotFound(_("There is no such sheet."))
    with short_write():
        # First: the services below would otherwise lock the slot before the campaign.
        annotator.campaign.status = sql.hold(annotator, sheet)
        held = SlotEvent.objects.filter(annotator=annotator, slot__sheet=sheet)
        if sql.own_slot(annotator, sheet) is None and not held.exists():
            raise NotFound(_("There is no such sheet."))
        stored = tuple(_save(annotator, sheet, one, now) for one in answers)
        state, finished, refusal = "claimed", False, None
        if done and all(isinstance(one, Saved) for one in stored):
            try:
                state, finished = submit(annotator=annotator, sheet=sheet, now=now)
            except Conflict as error:  # It refuses before it writes.
                refusal = error
        else:
            slot = sql.own_slot(annotator, sheet)
            state = slot.state if slot is not None else "claimed"
    if finished:
        sheet_finished(annotator=annotator, sheet=sheet)
    handed_in = done and refusal is None and state == "surplus"
    shown = "done" if handed_in or state == Slot.State.DONE else "claimed"
    return SheetSaved(stored, shown, refusal)


def _save(
    annotator: Annotator, sheet: Sheet, one: GivenAnswer, now: datetime
) -> Saved | DomainError:
    try:
        return judgment_save(
            annotator=annotator,
            sheet_key=sheet.key,
            substitution_key=one.substitution,
            scale_key=one.scale,
            answer=one.answer,
            request_id=one.request_id,
            base_version=one.base_version,
            now=now,
        )
    except DomainError as error:
        return error


def look_after(*, annotator: Annotator, sheet_key: UUID) -> None:
    """Evaluate the annotator after a sheet that `save_at_once` handed in; see `sheet_finished`."""
    sheet = Sheet.objects.get(key=sheet_key, campaign_id=annotator.campaign_id)
    sheet_finished(annotator=annotator, sheet=sheet)

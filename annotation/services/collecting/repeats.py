"""Hidden repeats: the same sheet again, to measure how consistent an annotator is."""

from __future__ import annotations

from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Annotator, Sheet, SheetEntry, Slot
from annotation.services.audit import Actor, audit
from annotation.services.collecting.claiming import done_sheets
from annotation.services.transactions import short_write


def repeat_add(
    *, annotator: Annotator, sheet: Sheet, actor: Actor, after_sheets: int = 10
) -> Sheet:
    """Schedule a sheet that the annotator has done for a second, hidden judgment.

    It comes after `after_sheets` further sheets, or when nothing else is left, and looks like any
    other sheet. Raises Invalid if the annotator has not done the sheet.
    """
    if not Slot.objects.filter(sheet=sheet, annotator=annotator, state=Slot.State.DONE).exists():
        raise Invalid(_("Only a sheet that the annotator has done can be repeated."))
    with short_write():
        Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)
        substitutions = list(sheet.entries.values_list("substitution_id", flat=True))
        last = SheetEntry.objects.filter(
            substitution__in=substitutions, for_annotator=annotator
        ).aggregate(last=Max("occasion"))["last"]
        occasion = (last or 1) + 1
        number = Sheet.objects.filter(
            item_id=sheet.item_id, occasion=occasion, for_annotator=annotator
        ).count()
        repeat = Sheet.objects.create(
            campaign_id=sheet.campaign_id,
            item_id=sheet.item_id,
            number=number + 1,
            occasion=occasion,
            for_annotator=annotator,
            not_before_done=done_sheets(annotator).count() + after_sheets,
            slots_wanted=1,
        )
        SheetEntry.objects.bulk_create(
            SheetEntry(sheet=repeat, substitution_id=pk, occasion=occasion, for_annotator=annotator)
            for pk in substitutions
        )
        audit(
            actor=actor, verb="repeat", about=repeat, campaign=sheet.campaign,
            annotator=annotator.code, source=sheet.pk,
        )  # fmt: skip
    return repeat

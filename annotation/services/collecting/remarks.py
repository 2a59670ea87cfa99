"""Flags and comments of annotators."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import Invalid, NotFound
from annotation.models import Annotator, Remark, SheetEntry
from annotation.selectors.collecting.sheets import sheet_get
from annotation.services.collecting.saving import COMMENT_LENGTH
from annotation.services.transactions import short_write
from paraanno import clock


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
                campaign_id=annotator.campaign_id, annotator=annotator, sheet=sheet,
                substitution_id=substitution, flagged=flagged, text=text, request_id=request_id,
                at=now or clock.now(),
            )  # fmt: skip
    except IntegrityError:
        made = Remark.objects.filter(annotator=annotator, request_id=request_id).first()
        if made is None:
            raise
        return made

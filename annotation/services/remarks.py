"""Flags and comments of annotators."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Annotator, Remark, SheetEntry
from annotation.selectors.sheets import sheet_get
from annotation.services.errors import Invalid, NotFound
from annotation.services.saving import COMMENT_LENGTH
from annotation.services.transactions import short_write


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
    """Say something about a sheet, or about one substitution on it.

    The same request again is answered with what it made. A remark with neither flag nor text takes
    back the one before. Raises NotFound, and Invalid for a text that is too long.
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
                at=now or timezone.now(),
            )  # fmt: skip
    except IntegrityError:
        made = Remark.objects.filter(annotator=annotator, request_id=request_id).first()
        if made is None:
            raise
        return made

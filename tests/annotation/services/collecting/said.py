"""Remarks that are made."""

from uuid import uuid4

from annotation.collecting.sheets import remark_add


def say(bob, sheet, text, *, about=None, flagged=False, request=None):
    return remark_add(
        annotator=bob,
        sheet_key=sheet.key,
        substitution_key=about,
        flagged=flagged,
        text=text,
        request_id=request or uuid4(),
    )

"""What pure packages say in English, in the language of the page."""

from __future__ import annotations

from django.utils.translation import gettext

from annotation.importers import Told


def translated(sentence: object) -> str:
    """A `Told` in the active language, its parts too; anything else as it is."""
    if not isinstance(sentence, Told):
        return str(sentence)
    words = gettext(sentence.template)
    parts = {name: translated(value) for name, value in sentence.values.items()}
    return words % parts if parts else words

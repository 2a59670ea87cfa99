"""`{{ row.reason|translated }}`: sentences of pure packages in the language of the page.

Every template has the filter.
"""

from __future__ import annotations

from django import template
from django.utils.functional import lazy
from django.utils.translation import gettext

from paraanno.common.texts import Sentence

register = template.Library()


@register.filter
def translated(sentence: object) -> str:
    """Return a sentence, with its parts, in the active language; an empty text for nothing.

    A text without parts is looked up as it is: it has no values, or is older than its parts.
    """
    if isinstance(sentence, Sentence) and sentence.values:
        return gettext(sentence.template) % {
            name: translated(value) if isinstance(value, Sentence) else value
            for name, value in sentence.values.items()
        }
    text = str(sentence or "")
    return gettext(text) if text else ""


translated_lazy = lazy(translated, str)

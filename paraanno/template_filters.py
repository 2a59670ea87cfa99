"""Filters that every template has: sentences of pure packages in the language of the page, and
numbers with a minus sign (U+2212) instead of a hyphen.

    {{ row.reason|translated }}

Files for programs are not made from templates and keep hyphens.
"""

from __future__ import annotations

import re
from typing import Any

from django import template
from django.template.defaultfilters import floatformat as plain_floatformat
from django.utils.formats import localize
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


MINUS = "\N{MINUS SIGN}"
_NUMBER = re.compile(r"-?[0-9][0-9.,]*(?:e[-+]?[0-9]+)?")


def minus(text: str) -> str:
    """Return a number with minus signs."""
    return text.replace("-", MINUS)


@register.filter("minus", is_safe=True)
def minus_of_number(value: object) -> object:
    """Return a number, or a text that is one, with minus signs; other values unchanged."""
    text = str(localize(value))
    return minus(text) if _NUMBER.fullmatch(text) else value


@register.filter(is_safe=True)
def floatformat(value: Any, arg: int | str = -1) -> str:
    """Django's filter with minus signs; with `u` the number keeps hyphens for programs."""
    text = plain_floatformat(value, arg)
    return text if "u" in str(arg) else minus(text)

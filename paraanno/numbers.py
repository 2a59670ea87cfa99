"""Numbers in templates as people read them: a minus sign, which is as wide as a digit, where
programs write a hyphen. Every template has these filters; files for programs come from none."""

from __future__ import annotations

import re
from typing import Any

from django import template
from django.template.defaultfilters import floatformat as plain_floatformat
from django.utils.formats import localize

register = template.Library()
MINUS = "\N{MINUS SIGN}"
_NUMBER = re.compile(r"-?[0-9][0-9.,]*(?:e[-+]?[0-9]+)?")


def minus(text: str) -> str:
    """A number in figures with minus signs."""
    return text.replace("-", MINUS)


@register.filter("minus", is_safe=True)
def minus_of_number(value: object) -> object:
    """A number, or a text that is one, with minus signs; anything else as it is."""
    text = str(localize(value))
    return minus(text) if _NUMBER.fullmatch(text) else value


@register.filter(is_safe=True)
def floatformat(value: Any, arg: int | str = -1) -> str:
    """Django's own, with minus signs; `u` asks for a number that programs read."""
    text = plain_floatformat(value, arg)
    return text if "u" in str(arg) else minus(text)

"""How a template takes apart what a metric tells about a score."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def shape(value: object) -> str:
    """What to draw: names (of values), rows (lists in a list), list, or plain."""
    if isinstance(value, Mapping):
        return "names"
    if not isinstance(value, list | tuple):
        return "plain"
    return "rows" if any(isinstance(one, list | tuple | Mapping) for one in value) else "list"


@register.filter
def spaced(name: object) -> str:
    """`extra_words` as it is read: extra words."""
    return str(name).replace("_", " ")

"""Filters that show the detail of a score."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def shape(value: object) -> str:
    """The layout of a detail: names (of values), rows (lists in a list), list, or plain."""
    if isinstance(value, Mapping):
        return "names"
    if not isinstance(value, list | tuple):
        return "plain"
    return "rows" if any(isinstance(one, list | tuple | Mapping) for one in value) else "list"


@register.filter
def spaced(name: object) -> str:
    """Replace underscores by spaces: `extra_words` gives "extra words"."""
    return str(name).replace("_", " ")

"""`{{ row.reason|worded }}`: what statistics and metrics say, in the language of the page."""

from __future__ import annotations

from django import template

from scoring import wording

register = template.Library()


@register.filter
def worded(sentence: object) -> str:
    """The sentence in the active language; as it is where no template makes it."""
    return wording.worded(sentence)

"""The "?" of a page."""

from __future__ import annotations

from typing import Any

from django import template

from annotation.http.glossary import HELP

register = template.Library()


@register.inclusion_tag("parts/help.html", takes_context=True)
def page_help(context: dict[str, Any]) -> dict[str, object]:
    """The words of the page and the way to its documentation; nothing for pages without help."""
    match = getattr(context.get("request"), "resolver_match", None)
    return {"help": HELP.get(match.url_name) if match else None}

"""The frame of a page: rights for its navigation, and its "?"."""

from __future__ import annotations

from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser

from annotation import access
from annotation.access import User
from annotation.http.glossary import HELP

register = template.Library()


@register.filter
def creates_campaigns(user: User) -> bool:
    """Whether the user may create campaigns; at most two queries."""
    return access.may_create(user=user)


@register.filter
def researches(user: User) -> bool:
    """Whether the user is a researcher in any campaign; one query."""
    return access.researches(user=user)


@register.filter
def takes_part(user: User | AnonymousUser) -> bool:
    """Whether the user came by a panel's link: pages never show the made-up login; no query."""
    return access.takes_part(user=user)


@register.inclusion_tag("parts/help.html", takes_context=True)
def page_help(context: dict[str, Any]) -> dict[str, object]:
    """The words of the page and the way to its documentation; nothing for pages without help."""
    match = getattr(context.get("request"), "resolver_match", None)
    return {"help": HELP.get(match.url_name) if match else None}

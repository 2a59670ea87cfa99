"""Access rights for the navigation."""

from __future__ import annotations

from django import template
from django.contrib.auth.models import AnonymousUser

from annotation import access
from annotation.access import User

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

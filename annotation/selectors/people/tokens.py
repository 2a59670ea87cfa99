"""API tokens of a user, and the user of a token."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from annotation.models import ApiToken
from annotation.models.fields import token_digest
from annotation.selectors.access import Reach, User, known


def tokens_of(*, user: User) -> QuerySet[ApiToken]:
    """Return the user's own tokens with their campaigns, newest first; two queries."""
    return ApiToken.objects.filter(user=known(user)).prefetch_related("campaigns").order_by("-pk")


def token_find(*, text: str) -> ApiToken | None:
    """Return the token with its user; None if it is unknown or expired, or its user inactive."""
    tokens = ApiToken.objects.filter(token_hash=token_digest(text), user__is_active=True)
    tokens = tokens.filter(Q(expires_at=None) | Q(expires_at__gt=Now()))
    return tokens.select_related("user").first()


def token_reach(*, token: ApiToken) -> Reach | None:
    """Return what the token reaches; None for one with all rights of its owner. At most one
    query."""
    if token.scope == ApiToken.Scope.ALL:
        return None
    if token.everywhere:
        return Reach(token.scope, None)
    return Reach(token.scope, frozenset(token.campaigns.values_list("pk", flat=True)))

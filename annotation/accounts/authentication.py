"""Session and token authentication for the API."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.authentication import SessionScheme, TokenScheme
from rest_framework import authentication, exceptions
from rest_framework.request import Request

from annotation.access import TokenScope, takes_part
from annotation.accounts.login import lacks_factor, token_find, token_reach
from annotation.accounts.tokens import token_used


class SessionAuthentication(authentication.SessionAuthentication):
    """Django REST framework's session authentication, with 401 for an expired login and a code
    for a bad CSRF token.

    The browser's queue must distinguish "log in again" (keep the answer, ask for the password),
    "fetch a new CSRF token" and "not allowed".
    """

    def authenticate_header(self, request: Request) -> str:
        return "Session"

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except exceptions.PermissionDenied as error:
            raise exceptions.PermissionDenied(str(error.detail), code="csrf") from error


class SessionAuthenticationScheme(SessionScheme):
    """The session cookie in the OpenAPI schema."""

    target_class = "annotation.accounts.authentication.SessionAuthentication"
    priority = 1


class TokenAuthentication(authentication.TokenAuthentication):
    """The header `Authorization: Token ...` (or `Bearer ...`), compared by hash.

    A token with a scope opens only routes that say `of_campaigns`; which campaigns and what in
    them, the account that the request gets carries along (annotation/access.py).
    """

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        scheme = authentication.get_authorization_header(request).partition(b" ")[0].lower()
        self.keyword = "Bearer" if scheme == b"bearer" else "Token"
        credentials: tuple[Any, Any] | None = super().authenticate(request)
        if credentials is not None and (reach := token_reach(token=credentials[1])) is not None:
            if not getattr(request.parser_context["view"], "of_campaigns", False):
                raise exceptions.PermissionDenied(
                    _("This token has a scope: it reaches nothing outside of its campaigns."),
                    code=TokenScope.code,
                )
            credentials[0].token_reach = reach
        return credentials

    def authenticate_credentials(self, key: str) -> tuple[Any, Any]:
        token = token_find(text=key)
        # A participant's would be of an earlier version: none is made any more.
        if token is None or takes_part(user=token.user):
            raise exceptions.AuthenticationFailed(_("This token is not valid (any more)."))
        if lacks_factor(user=token.user):
            raise exceptions.AuthenticationFailed(
                _("Administrators need a second factor here: log in, and set one up.")
            )
        token_used(token=token)
        return token.user, token


class TokenAuthenticationScheme(TokenScheme):
    """The token header in the OpenAPI schema."""

    target_class = "annotation.accounts.authentication.TokenAuthentication"
    priority = 1

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "`Authorization: Token ...` is the same.",
        }

"""Session and token login for the API."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.authentication import SessionScheme, TokenScheme
from rest_framework import authentication, exceptions
from rest_framework.request import Request

from annotation.selectors.tokens import token_find
from annotation.services.tokens import token_used


class SessionAuthentication(authentication.SessionAuthentication):
    """As Django REST framework's, but an expired login is 401 and a bad CSRF token has a code.

    The browser's queue must tell apart "log in again" (keep the value, ask for the password),
    "read the token anew" and "you may not".
    """

    def authenticate_header(self, request: Request) -> str:
        return "Session"

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except exceptions.PermissionDenied as error:
            raise exceptions.PermissionDenied(str(error.detail), code="csrf") from error


class SessionAuthenticationScheme(SessionScheme):
    """How the OpenAPI schema describes it: the session cookie."""

    target_class = "annotation.api.authentication.SessionAuthentication"
    priority = 1


class TokenAuthentication(authentication.TokenAuthentication):
    """The header `Authorization: Token ...`, compared by its hash."""

    def authenticate_credentials(self, key: str) -> tuple[Any, Any]:
        token = token_find(text=key)
        if token is None:
            raise exceptions.AuthenticationFailed(_("This token is not valid (any more)."))
        token_used(token=token)
        return token.user, token


class TokenAuthenticationScheme(TokenScheme):
    """How the OpenAPI schema describes it."""

    target_class = "annotation.api.authentication.TokenAuthentication"
    priority = 1

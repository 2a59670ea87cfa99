"""Whose request it is, and that a login is asked for on every page that does not say otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.middleware import (
    AuthenticationMiddleware,
    LoginRequiredMiddleware,
    get_user,
)
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import SimpleLazyObject

SECOND_FACTOR = "second-factor"  # In a session: that one was given at its login.


def needs_second_factor(user: Any) -> bool:
    """Whether the site's settings ask this account for a second factor."""
    return settings.ADMINS_NEED_SECOND_FACTOR and (user.is_staff or user.is_superuser)


class AccountMiddleware(AuthenticationMiddleware):
    """Django's; but an administrator whose session has only the first factor is nobody, where the
    settings ask for two. (Of other logins with two factors there are no such sessions: they are
    made once the second is given.)"""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        request.user = SimpleLazyObject(lambda: _account(request))  # type: ignore[assignment]


def _account(request: HttpRequest) -> AbstractBaseUser | AnonymousUser:
    user = get_user(request)
    if user.is_authenticated and needs_second_factor(user):
        return user if request.session.get(SECOND_FACTOR) else AnonymousUser()
    return user


class LoginMiddleware(LoginRequiredMiddleware):
    """Django's, which reads the account before it looks whether the view asks for one.

    Routes of the API check for themselves, and one of them with a read that it makes anyway.
    """

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: tuple[Any, ...],
        view_kwargs: dict[str, Any],
    ) -> HttpResponseBase | None:
        if not getattr(view_func, "login_required", True):
            return None
        return super().process_view(request, view_func, view_args, view_kwargs)


BACKEND = "django.contrib.auth.backends.ModelBackend"

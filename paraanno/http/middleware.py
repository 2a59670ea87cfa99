"""What each request passes first: whose it is, with a login asked for on every page that does not
say otherwise; and its language, of two for every page and more for those that annotators meet.
"""

from __future__ import annotations

import re
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
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject
from django.utils.translation.trans_real import parse_accept_lang_header

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


# Names of the addresses whose texts are translated into all languages; locale/annotators/POTFILES
# names the sources of these texts.
ANNOTATOR_ROUTES = re.compile(
    r"home|language|login|login-code|login-set-up|logout|password-reset\S*|join|guest|no-mail|guidelines"
    r"|panel-(enter|end|leave)|rate(-\S+)?"
    r"|api-(claim|sheet|sheet-state|remark|judgment|session|me)"
)


def left_to_right(text: str) -> str:
    """Return a date for a sentence: on pages that are written from the right, marks keep its parts
    in their order (U+2066, U+2069); 2026-12-10 would be read as 10-12-2026."""
    return f"\u2066{text}\u2069" if translation.get_language_bidi() else text


class LanguageMiddleware(MiddlewareMixin):
    """Choose by the footer's cookie, otherwise by the browser; responses vary by both.

    Django's own also looks for a language at the beginning of each address, where here is none.
    What is refused before an address is known is said in any language, as annotators meet it too.
    """

    def process_request(self, request: HttpRequest) -> None:
        _activate(request, translation.get_language_from_request(request))

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> None:
        if request.LANGUAGE_CODE not in languages_of(request):
            _activate(request, _site_language(request))

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        response.headers.setdefault("Content-Language", translation.get_language())
        return response


def languages_of(request: HttpRequest) -> list[str]:
    """Return the codes of the languages that the page is translated into."""
    route = request.resolver_match
    name = None if route is None else route.url_name
    if name is None or ANNOTATOR_ROUTES.fullmatch(name):
        return [code for code, _name in settings.LANGUAGES]
    return list(settings.SITE_LANGUAGES)


def _activate(request: HttpRequest, language: str) -> None:
    translation.activate(language)
    request.LANGUAGE_CODE = language


def _site_language(request: HttpRequest) -> str:
    """The first language of every page that the browser asks for; English if none."""
    for accepted, _priority in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        code = accepted.partition("-")[0]
        if code in settings.SITE_LANGUAGES:
            return code
    return settings.LANGUAGE_CODE

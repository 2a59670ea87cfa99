"""When people were last here."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from annotation.services.accounts.sessions import session_seen


class SeenMiddleware:
    """Note, at most once an hour, that a session is used. A request that did not ask whose it is
    asks nothing here either."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        user = getattr(request, "_cached_user", None)  # Set once request.user was asked for.
        if user is not None and user.is_authenticated and request.user.pk == user.pk:
            session_seen(request, user.pk)
        return answer

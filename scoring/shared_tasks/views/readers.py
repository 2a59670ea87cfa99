"""A board for its many readers: one page for all, with gaps for what is each one's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from secrets import token_hex

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils.cache import get_conditional_response
from django.utils.html import escape
from django.utils.translation import get_language

import paraanno
from annotation.models.people.panel import PARTICIPANT_LOGIN
from annotation.selectors.people import sessions
from annotation.services.accounts.sessions import session_seen
from scoring.shared_tasks.selectors.reader import BoardReader, board_reader, task_of
from scoring.shared_tasks.selectors.stamp import board_stamp, late
from scoring.shared_tasks.views.frame import page_tag, private

# Whatever else is asked for goes the long way, so that few pages are kept.
_PLAIN = re.compile(r"(?:track=([A-Za-z0-9_-]{1,40})(?:&|$))?(?:credit=(strict))?")


@dataclass(frozen=True, slots=True)
class GappedPage:
    """A page with marks where each reader's own name and token for forms belong."""

    page: bytes
    name: bytes
    token: bytes

    def filled(self, name: str, token: str) -> bytes:
        # The name last: what somebody is called is not looked through for marks.
        page = self.page.replace(self.token, token.encode())
        return page.replace(self.name, escape(name).encode())


def answer_reader(
    request: HttpRequest, slug: str, page: Callable[..., HttpResponse]
) -> HttpResponse | None:
    """The answer to a plain reader; None for everybody else, and for what is asked unusually.

    `page(request, task, standing, stamp, track, credit, **context)` renders the page.
    """
    query = request.META.get("QUERY_STRING", "")
    asked, session = _PLAIN.fullmatch(query), _plain_session(request)
    if asked is None or session is None:
        return None
    track, credit = asked[1] or "", asked[2] or "half"
    reader = board_reader(session=session, slug=slug, track=track)
    if reader is None or (track and not reader.track):
        return None
    if PARTICIPANT_LOGIN.fullmatch(reader.username):
        return None
    what = (*reader.sees, query, get_language(), paraanno.__version__)

    def stamp() -> str:
        task, standing = task_of(reader)
        return board_stamp(task=task, standing=standing)

    def make(stamp: str) -> GappedPage:
        task, standing = task_of(reader)
        return _gapped(reader, partial(page, request, task, standing, stamp, track, credit))

    kept = late(what, stamp, make)
    session_seen(request, reader.user)
    tag = page_tag(request, reader.user, reader.username, kept.stamp, *map(str, what))
    if (unchanged := get_conditional_response(request, etag=tag)) is not None:
        return unchanged
    answer = HttpResponse(kept.made.filled(reader.username, get_token(request)))
    return private(answer, tag)


def _plain_session(request: HttpRequest) -> str | None:
    """The session of a browser that has a token for forms, and no messages for the next page."""
    cookies = request.COOKIES
    if settings.CSRF_COOKIE_NAME not in cookies or CookieStorage.cookie_name in cookies:
        return None
    if settings.SESSION_ENGINE != sessions.ENGINE:
        return None
    return cookies.get(settings.SESSION_COOKIE_NAME)


def _gapped(reader: BoardReader, page: Callable[..., HttpResponse]) -> GappedPage:
    name, token = token_hex(16), token_hex(16)
    # In place of what Django puts into every page. The number decides which links there are.
    somebody = User(pk=reader.user, username=name)
    made = page(user=somebody, csrf_token=token, messages=())
    return GappedPage(made.content, name.encode(), token.encode())

"""The answer 503 of a busy site, written without the framework: JSON for programs, else a page that
loads itself again."""

from __future__ import annotations

import functools
import json
from types import SimpleNamespace
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest
from django.http.cookie import parse_cookie
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from paraanno.gate.heads import RequestHead

_HEAD = (
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n"
    "Retry-After: {after}\r\nCache-Control: no-store\r\nVary: Accept-Language, Cookie\r\n"
    "X-Content-Type-Options: nosniff\r\nContent-Language: {language}\r\n"
    "Connection: {connection}\r\n"
)
# A page comes back by itself; it may load nothing but the site's own style.
_OF_PAGES = (
    "Refresh: {after}\r\nX-Frame-Options: DENY\r\n"
    "Content-Security-Policy: default-src 'none'; style-src 'self'; base-uri 'none'; "
    "frame-ancestors 'none'\r\n"
)


class BusyAnswers:
    """The texts in all languages, made once."""

    def __init__(self) -> None:
        self.texts: dict[str, tuple[bytes, bytes]] = {}
        for language, _name in settings.LANGUAGES:
            with translation.override(language):
                text = _("The site is busy. Try again in a moment. Saved judgments are safe.")
                data = {"code": "busy", "detail": text}
                page = {"status": 503, "title": _("The site is busy"), "text": text}
                self.texts[language] = (
                    json.dumps(data).encode(),
                    render_to_string("error.html", page).encode(),
                )

    def answer(self, head: RequestHead, *, after: int, close: bool) -> bytes:
        """Return the whole answer; `after` is in seconds."""
        language = _language(head)
        program = head.path.startswith("/api/") or "text/html" not in head.headers.get("accept", "")
        body = self.texts[language][0 if program else 1]
        start = _HEAD + ("" if program else _OF_PAGES)
        start = start.format(
            kind="application/json" if program else "text/html; charset=utf-8",
            length=len(body),
            after=after,
            language=language,
            connection="close" if close else "keep-alive",
        )
        return start.encode() + b"\r\n" + (b"" if head.method == "HEAD" else body)


@functools.cache
def busy_answers() -> BusyAnswers:
    """Those of this server; made before its processes begin, they share them."""
    return BusyAnswers()


def _language(head: RequestHead) -> str:
    """The language that the site's pages would have for this sender."""
    request = SimpleNamespace(
        COOKIES=parse_cookie(head.headers.get("cookie", "")),
        META={"HTTP_ACCEPT_LANGUAGE": head.headers.get("accept-language", "")},
    )
    return str(translation.get_language_from_request(cast(HttpRequest, cast(Any, request))))

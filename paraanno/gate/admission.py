"""The gate of a web process: places for three kinds of requests, queues, and when to come back;
what the first bytes of a request say; and the answer 503 of a busy site.

Judging comes before pages of researchers, and these before files and boards. A kind that comes
first leaves one place to those behind it, and a kind that comes later never takes all places. A
queue is as long as can be carried out in a moment; whoever comes then is refused at once, which
costs little, and is given a time of their own to come back. The refusal is written without the
framework: JSON for programs, else a page that loads itself again.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from types import SimpleNamespace
from typing import Any, Final, Generic, TypeVar, cast

from django.conf import settings
from django.http import HttpRequest
from django.http.cookie import parse_cookie
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

Item = TypeVar("Item")


class Rank(IntEnum):
    """What a request is for; the lower comes first."""

    JUDGING = 0
    PAGE = 1
    FILE = 2


# Seconds that a request may wait in all, as estimated when it comes; twice as long in fact.
QUEUE_SECONDS = {Rank.JUDGING: 0.6, Rank.PAGE: 3.0, Rank.FILE: 10.0}
LEAST, MOST = 1, 30  # seconds of Retry-After
WEIGHT = 0.1  # of the latest request in the mean time that requests of a kind take
FIRST_GUESS = 0.05  # seconds a request takes


@dataclass(slots=True)
class Queued(Generic[Item]):
    """A request in a queue: when it came, how many seconds its sender waits for an answer, and
    the time from which it is not carried out any more."""

    item: Item
    kind: Rank
    came: float
    patience: float
    until: float = math.inf


class Gate(Generic[Item]):
    """The queues and places of a process with so many threads.

    Times are seconds of one clock, given by the caller. One thread uses a gate.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.limits = {
            Rank.JUDGING: max(1, threads - 1),
            Rank.PAGE: max(1, threads - 2),
            Rank.FILE: max(1, threads // 4),
        }
        self.queues: dict[Rank, deque[Queued[Item]]] = {kind: deque() for kind in Rank}
        self.running = dict.fromkeys(Rank, 0)
        self.seconds = dict.fromkeys(Rank, FIRST_GUESS)
        self._back = 0.0  # the time given to the one refused last

    def wait(self, kind: Rank) -> float:
        """Estimate how long a request of this kind would wait now."""
        free = self.threads - sum(self.running.values())
        ahead = len(self.queues[kind])
        if not ahead and free > 0 and self.running[kind] < self.limits[kind]:
            return 0.0
        return (ahead + 1) * self.seconds[kind] / self._share(kind)

    def enter(self, request: Queued[Item], now: float) -> bool:
        """Put a request into its queue; False, with nothing done, if it would wait too long."""
        wait = self.wait(request.kind)
        soon = request.until = request.came + request.patience
        if wait:  # Some have waited in the kernel's queue before.
            longest = QUEUE_SECONDS[request.kind]
            soon = min(soon, request.came + longest)
            request.until = min(request.until, request.came + 2 * longest)
        if now + wait > soon:
            return False
        self.queues[request.kind].append(request)
        return True

    def next(self, now: float) -> Iterator[tuple[Queued[Item], bool]]:
        """Yield what leaves the queues now, with whether it is to be carried out.

        What is not has waited for so long that the answer would come late, or after its sender has
        given up.
        """
        for kind in Rank:
            queue = self.queues[kind]
            while queue:
                if now > queue[0].until:
                    yield queue.popleft(), False
                elif self.running[kind] < self.limits[kind] and self._free():
                    self.running[kind] += 1
                    yield queue.popleft(), True
                else:
                    break

    def done(self, kind: Rank, took: float) -> None:
        """Give a place back; the request took so many seconds."""
        self.running[kind] -= 1
        self.seconds[kind] += WEIGHT * (took - self.seconds[kind])

    def retry_after(self, kind: Rank, now: float) -> int:
        """Return in how many seconds a refused request has its turn: behind those refused before.

        So they come back as fast as they can be carried out, and not all together.
        """
        each = self.seconds[kind] / self._share(kind)
        earliest = now + max(self.wait(kind), each)
        self._back = min(max(self._back + each, earliest), now + MOST)
        return max(LEAST, min(MOST, math.ceil(self._back - now)))

    def waiting(self) -> int:
        return sum(map(len, self.queues.values()))

    def _free(self) -> bool:
        return sum(self.running.values()) < self.threads

    def _share(self, kind: Rank) -> int:
        """How many places the kind gets while those before it take theirs."""
        before = sum(self.running[one] for one in Rank if one < kind)
        return max(1, min(self.limits[kind], self.threads - before))


PATIENCE_HEADER: Final = "X-Paraanno-Patience"  # milliseconds
MOST_PATIENCE = 30.0  # seconds; also of those who say none
HEALTH = ("/healthz", "/readyz")
# What annotators' browsers ask for, and what leads them there.
_JUDGING = re.compile(
    r"/(rate|static|p|join|accounts/log(in|out))(/|$)"
    r"|/api/v1/(sheets/|session$|me$|campaigns/[^/]+/(claim|progress/own)$)"
)
# Files in and out, and what many look at; the parts behind a campaign's or task's name.
_FILES = frozenset(
    {
        "archive",
        "archive-away",
        "archives",
        "board",
        "board.html",
        "everything.zip",
        "exports",
        "file",
        "files",
        "import",
        "imports",
        "leaderboard",
        "log.csv",
        "metrics",
        "publish",
        "reports",
        "restore",
        "restores",
    }
)
_NAMED = frozenset({"c", "campaigns", "tasks", "templates"})


@dataclass(frozen=True, slots=True)
class RequestHead:
    """The beginning of a request. `length` is that of head and body, None where it is not known;
    `patience` is in seconds."""

    method: str
    path: str
    kind: Rank
    patience: float
    length: int | None
    close: bool
    headers: dict[str, str]


def kind_of(path: str) -> Rank:
    """Return what a request for this path, without its query, is for."""
    if _JUDGING.match(path):
        return Rank.JUDGING
    parts = path.removeprefix("/api/v1").strip("/").split("/")
    if parts[0] in _NAMED:
        parts[1:2] = []
    return Rank.PAGE if _FILES.isdisjoint(parts) else Rank.FILE


def read_head(start: bytes) -> RequestHead:
    """Read the beginning of a request, which may be cut off or be no request at all."""
    text, end, _body = start.partition(b"\r\n\r\n")
    first, *lines = text.decode("latin-1").split("\r\n")
    words = first.split(" ")
    path = words[1].partition("?")[0] if len(words) > 1 else ""
    headers = {
        name.lower(): value.strip() for name, _colon, value in (one.partition(":") for one in lines)
    }
    length = headers.get("content-length", "0")
    whole = (
        end and length.isdecimal() and headers.keys().isdisjoint(("transfer-encoding", "expect"))
    )
    return RequestHead(
        method=words[0],
        path=path,
        kind=kind_of(path),
        patience=_patience(headers.get(PATIENCE_HEADER.lower(), "")),
        length=len(text) + len(end) + int(length) if whole else None,
        close=headers.get("connection", "").lower() == "close" or not first.endswith("HTTP/1.1"),
        headers=headers,
    )


def _patience(text: str) -> float:
    if not text.isdecimal() or len(text) > 9:
        return MOST_PATIENCE
    return min(int(text) / 1000, MOST_PATIENCE)


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

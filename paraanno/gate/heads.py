"""What the first bytes of a request say: whether it is about health, its kind, its sender's
patience, and the language of a refusal."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from paraanno.gate.admission import Rank

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

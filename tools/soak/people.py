"""Logins, which send again what was not answered, and a researcher."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from dataclasses import dataclass, field, replace
from typing import Any

from tools.soak.book import Book

PATIENCE = 30.0  # Seconds after which a request is given up and sent again.
TOKEN = "t" * 32


@dataclass
class Login:
    """A session, and the host it talks to; the other one when that does not answer."""

    session: str
    urls: dict[str, tuple[str, int]]
    at: str
    book: Book
    end: threading.Event
    home: str = field(init=False)

    def __post_init__(self) -> None:
        self.home = self.at

    def elsewhere(self) -> Login:
        """The same session, at the other host."""
        return replace(self, at=self._other())

    def _other(self) -> str:
        return next(name for name in self.urls if name != self.at)

    def ask(
        self,
        method: str,
        path: str,
        body: bytes,
        *,
        kind: str = "application/json",
        to_the_end: bool = False,
    ) -> tuple[int, bytes] | None:
        """The answer, after as many tries as it takes; None where the time is over, but for what
        is tried `to_the_end`. Paths without a slash in front are those of the API."""
        wait = 0.2
        while True:
            answer = self._try(method, path, body, kind)
            if answer is not None and answer[0] < 500 and answer[0] != 429:
                return answer
            if self.end.wait(wait * random.uniform(0.5, 1.5)):
                if not to_the_end:
                    return None
                time.sleep(wait)
            wait = min(2 * wait, 3.0)
            self.at = self._other()

    def _try(self, method: str, path: str, body: bytes, kind: str) -> tuple[int, bytes] | None:
        begin, status = time.monotonic(), 0
        connection = http.client.HTTPConnection(*self.urls[self.at], timeout=PATIENCE)
        headers = {
            "Content-Type": kind,
            "X-CSRFToken": TOKEN,
            "Cookie": f"sessionid={self.session}; csrftoken={TOKEN}",
        }
        try:
            address = path if path.startswith("/") else f"/api/v1/{path}"
            connection.request(method, address, body or None, headers)
            answer = connection.getresponse()
            content = answer.read()
            status = answer.status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()
            first, _, last = path.strip("/").partition("/")
            what = first if first in ("sheets", "rate") else last.rpartition("/")[2]
            self.book.request(begin, self.at, what, status)
        return status, content


@dataclass
class Researcher:
    """Imports (of `rows` items), exports, metric runs and reports, and a `pause` between rounds."""

    login: Login
    slug: str
    rows: int
    pause: float
    done: int = 0

    def work(self) -> None:
        base = f"campaigns/{self.slug}"
        while not self.login.end.wait(self.pause):
            self._import(f"{base}/imports/items")
            self._order(f"{base}/exports", "export", {"what": "judgments", "format": "csv"})
            metric = random.choice(["bleu", "chrf", "ter", "rouge_l"])
            self._order(f"{base}/runs", "run", {"metric": f"{metric}:against=original"})
            for path in ("reports/agreement", "reports/results", "reports/correlation", "progress"):
                answer = self.login.ask("GET", f"{base}/{path}", b"")
                if answer is not None and answer[0] not in (200, 202):
                    self.login.book.refuse(f"{path}: {answer[0]} {answer[1][:200]!r}")
            self.done += 1

    def _import(self, path: str) -> None:
        start = self.done * self.rows
        rows = "".join(
            json.dumps(
                {
                    "item": f"i{n}",
                    "phrase": f"word {n}",
                    "sentence": f"Here is word {n} again.",
                    "paraphrase": f"term {n}",
                    "system": "S",
                }
            )
            + "\n"
            for n in range(start, start + self.rows)
        )
        mark = "soak"
        body = (
            f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="items.jsonl"\r\n'
            f"Content-Type: application/json\r\n\r\n{rows}\r\n--{mark}--\r\n"
        ).encode()
        # An import that was cut off is repeated, as its answer asks: until then its texts may be
        # on no sheet.
        answer = self.login.ask(
            "POST", path, body, kind=f"multipart/form-data; boundary={mark}", to_the_end=True
        )
        if answer is not None and answer[0] not in (200, 201, 202):
            self.login.book.refuse(f"import: {answer[0]} {answer[1][:200]!r}")

    def _order(self, path: str, kind: str, data: dict[str, Any]) -> None:
        answer = self.login.ask("POST", path, json.dumps(data).encode())
        if answer is None:
            return
        status, content = answer
        if status in (201, 202):
            self.login.book.order(kind, f"{path}/{json.loads(content)['key']}")
        elif status != 200:
            self.login.book.refuse(f"{kind}: {status} {content[:200]!r}")

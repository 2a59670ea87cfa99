"""People whose browsers give up and send again, as coroutines: more of them than threads could be.

Each judges one sheet after another: a pause, then one request that saves the sheet, hands it in and
gets the next one. As the rating page does, a client waits so long, says so, gives up, and sends
the same request again after a growing pause, or when the site asked it to come back.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from tools.bench.clients import Annotator

PATIENCE = (
    2.5  # seconds; with PACE a quarter of the page's, so that a quarter of the people suffices
)
PAUSES = (0.125, 0.25, 0.5, 1.0, 2.0, 3.75)


@dataclass
class Book:
    """What the clients met. `times` are seconds of requests that were carried out, from sending to
    the answer; `confirmed` the UUIDs of their answers, by the moment of confirmation."""

    times: list[tuple[float, float]] = field(default_factory=list)
    confirmed: dict[str, float] = field(default_factory=dict)
    refused: int = 0
    gave_up: int = 0
    broken: int = 0
    wrong: list[Any] = field(default_factory=list)

    def goodput(self, begin: float, end: float) -> float:
        """Sheets a second that were confirmed between two moments."""
        return sum(begin <= at < end for at, _took in self.times) / (end - begin)

    def slowest(self, begin: float, end: float, share: float = 0.99) -> float:
        """The time in seconds that this share of the requests carried out stayed below."""
        took = sorted(one for at, one in self.times if begin <= at < end)
        return took[min(int(share * len(took)), len(took) - 1)] if took else float("inf")


class Person:
    """A client with a sheet in hand."""

    def __init__(self, client: Annotator, port: int, book: Book) -> None:
        self.client, self.port, self.book = client, port, book
        self.body: dict[str, Any] | None = None
        self.stream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def live(self, end: float, pace: float, hurry: float) -> None:
        """Judge until the time `end`, a sheet in `pace` seconds, the first within `hurry`."""
        try:
            await asyncio.sleep(random.random() * hurry)
            while time.monotonic() < end and self.client.sheet is not None:
                await self.turn(end)
                await asyncio.sleep(random.uniform(0.5, 1.5) * pace)
        finally:
            self.leave()

    async def turn(self, end: float) -> None:
        """Save the sheet until that is confirmed, or the time is over."""
        body = self._body()
        failures = 0
        while time.monotonic() < end:
            began = time.monotonic()
            status, headers, data = await self._ask(body)
            if status == 200:
                now = time.monotonic()
                self.book.times.append((now, now - began))
                self._confirm(body, data, now)
                return
            failures += 1
            pause = PAUSES[min(failures, len(PAUSES)) - 1] * random.uniform(0.75, 1.25)
            if status in (429, 503):
                self.book.refused += 1
                if "retry-after" in headers:
                    pause = float(headers["retry-after"]) * random.uniform(1, 1.5)
            elif status:
                self.book.wrong.append((status, data))
                self.client.sheet = None
                return
            await asyncio.sleep(max(0, min(pause, end - time.monotonic())))

    def leave(self) -> None:
        """Close the connection, as a page that is closed does."""
        if self.stream:
            self.stream[1].transport.abort()
            self.stream = None

    def _body(self) -> dict[str, Any]:
        """The request for the sheet in hand; the same as long as it was not confirmed."""
        if self.body is None:
            assert self.client.sheet is not None
            answers = [
                {
                    "id": str(uuid4()),
                    "substitution": one["key"],
                    "scale": other["scale"],
                    "base_version": 0,
                    "value": random.randint(1, 5),
                }
                for one in self.client.sheet["substitutions"]
                for other in one["answers"]
            ]
            self.body = {
                "path": f"/api/v1/sheets/{self.client.sheet['key']}",
                "annotator": self.client.annotator,
                "answers": answers,
                "state": "done",
                "next": True,
            }
        return self.body

    def _confirm(self, body: dict[str, Any], data: Any, now: float) -> None:
        echoed = [(one["id"], one.get("value"), one.get("version")) for one in data["answers"]]
        sent = [(one["id"], one["value"], 1) for one in body["answers"]]
        if echoed != sent or data["state"] != "done":
            self.book.wrong.append(("no echo", data))
        for one in body["answers"]:
            self.book.confirmed[one["id"]] = now
        self.client.sheet, self.body = data["sheet"], None

    async def _ask(self, body: dict[str, Any]) -> tuple[int, dict[str, str], Any]:
        path = body["path"]
        content = json.dumps({name: body[name] for name in body if name != "path"}).encode()
        token = "t" * 32
        head = (
            f"PUT {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\nX-CSRFToken: {token}\r\n"
            f"X-Paraanno-Patience: {PATIENCE * 1000:.0f}\r\n"
            f"Cookie: sessionid={self.client.session}; csrftoken={token}\r\n\r\n"
        )
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._exchange(head.encode() + content)
        except TimeoutError:
            self.book.gave_up += 1
        except (OSError, EOFError, ValueError):
            self.book.broken += 1
        self.leave()
        return 0, {}, None

    async def _exchange(self, request: bytes) -> tuple[int, dict[str, str], Any]:
        fresh = self.stream is None
        if self.stream is None:
            self.stream = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        reader, writer = self.stream
        try:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
        except (OSError, EOFError):
            if fresh:
                raise
            self.leave()  # An idle connection that the server had closed.
            return await self._exchange(request)
        first, *rows = head.decode("latin-1").split("\r\n")
        headers = {
            name.lower(): text.strip() for name, _, text in (one.partition(":") for one in rows)
        }
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection") == "close":
            self.leave()
        data = json.loads(content) if "json" in headers.get("content-type", "") else content
        return int(first.split()[1]), headers, data


async def probe(port: int, path: str, end: float, slow: list[float]) -> None:
    """Ask a health address every half second; note the seconds that each answer took."""
    while time.monotonic() < end:
        began = time.monotonic()
        writer = None
        try:
            async with asyncio.timeout(30):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
                await reader.read()
        except (OSError, EOFError, TimeoutError):
            pass  # How long it took is noted all the same.
        finally:  # Also where the probe is cancelled.
            if writer:
                writer.close()
        slow.append(time.monotonic() - began)
        await asyncio.sleep(0.5)


async def crowd(
    people: Sequence[Person], *, seconds: float, pace: float, hurry: float
) -> tuple[float, float]:
    """Let all judge for so long; return the moments of begin and end."""
    begin = time.monotonic()
    await asyncio.gather(*(one.live(begin + seconds, pace, hurry) for one in people))
    return begin, begin + seconds

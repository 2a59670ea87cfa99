"""Annotators at human pace: with scripts, on one or two devices, or with the plain form."""

from __future__ import annotations

import json
import random
import re
import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from tools.soak.people import Login
from tools.soak.reader import Answer

TWICE = 0.2  # The share of sheets that are sent to both hosts at once,
AGAIN = 0.2  # of those after which an older one is sent once more,
HOME = 0.2  # and of those after which who was driven to the other host goes back.
# What another device was quicker with.
QUICKER = {"stale", "revision_closed", "closed"}


@dataclass
class Judge:
    """One annotator: a sheet after the other, `pace` seconds on each on average. `shared`: another
    device of theirs does the same."""

    login: Login
    annotator: str
    slug: str
    pace: float
    shared: bool = False
    turns: int = 0
    _sent: deque[tuple[str, bytes]] = field(default_factory=lambda: deque(maxlen=50))

    def work(self) -> None:
        sheet = self._claim()
        while sheet is not None and not self.login.end.wait(random.uniform(0.5, 1.5) * self.pace):
            sheet = self._judge(sheet)
            if random.random() < HOME:
                self.login.at = self.login.home

    def _claim(self) -> dict[str, Any] | None:
        answer = self.login.ask("POST", f"campaigns/{self.slug}/claim", b"{}")
        if answer is None:
            return None
        status, content = answer
        if status != 200:
            self.login.book.refuse(f"claim: {status} {content[:200]!r}")
            return None
        sheet: dict[str, Any] | None = json.loads(content)["sheet"]
        return sheet

    def _judge(self, sheet: dict[str, Any]) -> dict[str, Any] | None:
        answers = [
            {
                "id": str(uuid4()),
                "substitution": text["key"],
                "scale": question["scale"],
                "base_version": question["version"],
                "value": random.randint(1, 5),
            }
            for text in sheet["substitutions"]
            for question in text["answers"]
        ]
        body = json.dumps(
            {"annotator": self.annotator, "answers": answers, "state": "done", "next": True}
        ).encode()
        path = f"sheets/{sheet['key']}"
        second = None
        if random.random() < TWICE:
            elsewhere = self.login.elsewhere()
            second = threading.Thread(target=self._send, args=(elsewhere, path, body), daemon=True)
            second.start()
        following = self._send(self.login, path, body)
        if second is not None:
            second.join()
        if following is None:
            return None if self.login.end.is_set() else self._claim()
        self.turns += 1
        if self._sent and random.random() < AGAIN:
            self._send(self.login, *random.choice(self._sent))
        self._sent.append((path, body))
        return following.get("sheet") or self._claim()

    def _send(self, login: Login, path: str, body: bytes) -> dict[str, Any] | None:
        """Send a sheet, note what is acknowledged, and return the answer; None without one, or if
        not all was stored."""
        answer = login.ask("PUT", path, body)
        if answer is None:
            return None
        status, content = answer
        if status != 200:
            login.book.refuse(f"save: {status} {content[:200]!r}")
            return None
        told = json.loads(content)
        stored = [one for one in told["answers"] if "code" not in one]
        login.book.acknowledge(
            {
                UUID(one["id"]): Answer(
                    UUID(self.annotator),
                    UUID(one["substitution"]),
                    UUID(one["scale"]),
                    one["value"],
                    one["version"],
                    one["repeated"],
                )
                for one in stored
            }
        )
        sent = {one["id"]: one["value"] for one in json.loads(body)["answers"]}
        codes = {one["code"] for one in [told, *told["answers"]] if "code" in one}
        echoed = {one["id"]: one["value"] for one in stored}
        if any(sent[key] != value for key, value in echoed.items()):
            login.book.refuse(f"save: {content[:300]!r}")
        elif echoed == sent and told["state"] == "done":
            return dict(told)
        elif not self.shared or not codes <= QUICKER:
            login.book.refuse(f"save: {content[:300]!r}")
        return None


@dataclass
class FormJudge:
    """One annotator without scripts, who sends each form until a page comes, sometimes twice."""

    login: Login
    annotator: str
    slug: str
    pace: float
    turns: int = 0

    def work(self) -> None:
        while not self.login.end.wait(random.uniform(0.5, 1.5) * self.pace):
            claimed = self.login.ask("POST", f"campaigns/{self.slug}/claim", b"{}")
            if claimed is None or claimed[0] != 200:
                self._refuse("claim", claimed)
                return
            sheet = json.loads(claimed[1])["sheet"]
            if sheet is None:
                return
            self._judge(f"/rate/{self.slug}/{sheet['key']}/")

    def _judge(self, address: str) -> None:
        page = self.login.ask("GET", address, b"")
        if page is None or page[0] != 200:
            self._refuse("form", page)
            return
        hidden = dict(
            re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page[1].decode())
        )
        values = {
            name.removeprefix("id."): random.randint(1, 5)
            for name in hidden
            if re.fullmatch(r"id\.[-0-9a-f]{36}\.[-0-9a-f]{36}", name)
        }
        chosen = {f"value.{name}": str(value) for name, value in values.items()}
        form = urlencode({**hidden, **chosen}).encode()
        for _ in range(2 if random.random() < TWICE else 1):
            answer = self.login.ask("POST", address, form, kind="application/x-www-form-urlencoded")
            if answer is None or answer[0] != 302:
                self._refuse("form", answer)
                return
        self.turns += 1
        acknowledged = {}
        for name, value in values.items():
            if hidden[f"was.{name}"] == str(value):
                continue  # A form does not send what has not changed.
            text, _, scale = name.partition(".")
            acknowledged[UUID(hidden[f"id.{name}"])] = Answer(
                UUID(self.annotator), UUID(text), UUID(scale), value
            )
        self.login.book.acknowledge(acknowledged)

    def _refuse(self, what: str, answer: tuple[int, bytes] | None) -> None:
        if answer is not None:
            self.login.book.refuse(f"{what}: {answer[0]} {answer[1][:200]!r}")

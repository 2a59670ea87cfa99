"""Annotators as programs: each has a login, a kept connection, and a book of what was confirmed."""

from __future__ import annotations

import http.client
import json
import random
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass
class Annotator:
    """One client. `told` counts what the server confirmed; `wrong` keeps its refusals."""

    session: str
    annotator: str
    port: int = 0
    sheet: dict[str, Any] | None = None
    held: list[dict[str, Any]] = field(default_factory=list)
    versions: dict[str, int] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)
    log: list[tuple[str, float]] = field(default_factory=list)
    told: int = 0
    turns: int = 0
    wrong: list[Any] = field(default_factory=list)

    def connect(self, port: int) -> None:
        self.port = port
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        token = "t" * 32
        self.headers = {
            "Content-Type": "application/json",
            "X-CSRFToken": token,
            "Cookie": f"sessionid={self.session}; csrftoken={token}",
        }

    def ask(self, method: str, path: str, body: Any) -> Any:
        """One timed request; None where it was refused."""
        data = json.dumps(body)
        begin = time.perf_counter()
        try:
            answer = self.send(method, path, data)
        except (BrokenPipeError, ConnectionResetError, http.client.RemoteDisconnected):
            # The server closed an idle connection; a browser asks again too.
            self.connection.close()
            answer = self.send(method, path, data)
        content = answer.read()
        took = time.perf_counter() - begin
        self.times.append(took)
        self.log.append((path, took))
        if answer.status != 200:
            self.wrong.append((answer.status, content[:200]))
            return None
        return json.loads(content)

    def send(self, method: str, path: str, data: str) -> http.client.HTTPResponse:
        self.connection.request(method, f"/api/v1/{path}", data, self.headers)
        return self.connection.getresponse()

    def paths(self) -> list[str]:
        """The addresses of all values of the sheet."""
        sheet = self.sheet or {}
        return [
            f"sheets/{sheet['key']}/judgments/{one['key']}/{answer['scale']}"
            for one in sheet["substitutions"]
            for answer in one["answers"]
        ]

    @property
    def dry(self) -> bool:
        """Whether there is nothing left that it could do."""
        return self.sheet is None and not self.held and not self.versions

    def claim(self, slug: str) -> None:
        self.sheet = (self.ask("POST", f"campaigns/{slug}/claim", {}) or {}).get("sheet")

    def ahead(self, slug: str) -> dict[str, Any] | None:
        """The sheet after the one in hand, held ready."""
        beside = [self.sheet["key"]] if self.sheet else []
        answer = self.ask("POST", f"campaigns/{slug}/claim", {"beside": beside})
        return (answer or {}).get("sheet")

    def submit(self, key: str) -> None:
        body = {"state": "done", "annotator": self.annotator, "next": False}
        self.ask("PUT", f"sheets/{key}/state", body)

    def save(self, path: str) -> None:
        version = self.versions.get(path, 0)
        body = {
            "id": request_id(),
            "annotator": self.annotator,
            "base_version": version,
            "value": 1 + (version + self.told) % 5,
        }
        answer = self.ask("PUT", path, body)
        if answer is None:
            return
        if answer["id"] != body["id"] or answer["value"] != body["value"]:
            self.wrong.append(("no echo", answer))
            return
        if answer["version"] != version:
            self.told += 1
        self.versions[path] = answer["version"]

    def judge(self, sheet: dict[str, Any], *, following: bool) -> None:
        """Answer every question of a sheet and hand it in, with `following` get the next one too:
        one request."""
        answers = [
            {
                "id": request_id(),
                "substitution": one["key"],
                "scale": other["scale"],
                "base_version": 0,
                "value": 1 + self.told % 5,
            }
            for one in sheet["substitutions"]
            for other in one["answers"]
        ]
        body = {"annotator": self.annotator, "answers": answers, "state": "done", "next": following}
        answer = self.ask("PUT", f"sheets/{sheet['key']}", body)
        if answer is None:
            return
        echoed = [(one["id"], one.get("value"), one.get("version")) for one in answer["answers"]]
        if echoed != [(one["id"], one["value"], 1) for one in answers] or answer["state"] != "done":
            self.wrong.append(("no echo", answer))
            return
        self.told += len(answers)
        self.turns += 1
        if following:
            self.sheet = answer["sheet"]


@dataclass(frozen=True, slots=True)
class Phase:
    """What clients met in a while. Times in ms; `client_cpu` is of all clients, in seconds."""

    seconds: float
    requests: int
    turns: int
    p50: float
    p95: float
    p99: float
    client_cpu: float
    wrong: list[Any]


def request_id() -> str:
    """A UUID of version 7, as the page makes them."""
    random = uuid4().int & ~(0xFFFF_FFFF_FFFF << 80 | 0xF << 76)
    return str(UUID(int=random | time.time_ns() // 10**6 << 80 | 7 << 76))


def run(clients: list[Annotator], seconds: float, act: Callable[[Annotator, int], None]) -> Phase:
    """Let every client act, in a thread of its own, until the time is over."""
    begin, cpu = time.perf_counter(), time.process_time()
    end = begin + seconds
    for client in clients:
        client.times, client.wrong, client.turns = [], [], 0

    def go(client: Annotator) -> None:
        step = 0
        while time.perf_counter() < end and not client.dry:
            act(client, step)
            step += 1

    threads = [threading.Thread(target=go, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times = [one for client in clients for one in client.times]
    cuts = statistics.quantiles(times, n=100)
    return Phase(
        time.perf_counter() - begin,
        len(times),
        sum(client.turns for client in clients),
        *(cuts[at] * 1000 for at in (49, 94, 98)),
        time.process_time() - cpu,
        [one for client in clients for one in client.wrong],
    )


def save_next(client: Annotator, step: int) -> None:
    """Change one value after the other of the sheet."""
    paths = list(client.versions)
    client.save(paths[step % len(paths)])


def save_calmly(client: Annotator, step: int) -> None:
    """Once a second on average, at moments that nobody agrees on (a Poisson process)."""
    time.sleep(random.expovariate(1))
    save_next(client, step)


def judge_held(client: Annotator, step: int) -> None:
    """Judge one item that was claimed before: answer it on both scales and hand it in."""
    if client.held:
        client.judge(client.held.pop(), following=False)


def take_turn(client: Annotator, step: int) -> None:
    """Judge an item and get the next one."""
    if client.sheet is not None:
        client.judge(client.sheet, following=True)


def turn_calmly(client: Annotator, step: int) -> None:
    """An item at human pace: 0.5 to 1.5 seconds before it."""
    time.sleep(random.uniform(0.5, 1.5))
    take_turn(client, step)


def hold_sheets(slug: str, clients: list[Annotator], each: int) -> None:
    """Give every client `each` claimed sheets, past HTTP; call it with the site's database."""
    from annotation.collecting.claiming import claim_next
    from annotation.models import Annotator as Person
    from annotation.models import Scale

    scales = list(Scale.objects.filter(campaign__slug=slug).values_list("key", flat=True))
    for client in clients:
        person = Person.objects.select_related("campaign").get(key=client.annotator)
        keys: list[Any] = []
        for _ in range(each):
            sheet = claim_next(annotator=person, beside=keys)
            assert sheet is not None
            keys.append(sheet.key)
            texts = sheet.entries.values_list("substitution__key", flat=True)
            answers = [{"scale": str(one)} for one in scales]
            client.held.append(
                {
                    "key": str(sheet.key),
                    "substitutions": [{"key": str(one), "answers": answers} for one in texts],
                }
            )


def annotators_in(
    slug: str, *, rows: list[dict[str, Any]], clients: int, annotators_per_sheet: int = 1
) -> list[Annotator]:
    """A campaign, and a session in it for every client."""
    from tests.factories import make_annotator, make_campaign

    campaign = make_campaign(slug, rows=rows, k=annotators_per_sheet, cast=False)
    made = []
    for number in range(clients):
        annotator = make_annotator(campaign, f"client{number}")
        assert annotator.user is not None
        made.append(Annotator(session_of(annotator.user), str(annotator.key)))
    return made


def session_of(user: User) -> str:
    """The key of a new session in which the user is logged in."""
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session["_auth_user_id"] = str(user.pk)
    session["_auth_user_backend"] = "django.contrib.auth.backends.ModelBackend"
    session["_auth_user_hash"] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)

"""Potato, measured as this project is: same clients, same machine, same run.

`pip install potato-annotation` in an environment of its own, and its program `potato` in PATH or
named by PARAANNO_TEST_POTATO. Its page sends an item's two answers together and asks for the next
item in a second request; that is what is counted here.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psutil

from tests.live import free_port
from tools.bench import table
from tools.bench.clients import Phase, run
from tools.bench.collect import CLIENTS, HELD
from tools.bench.table import line, note

VARIABLE = "PARAANNO_TEST_POTATO"
REST = 5.0  # Seconds after which a start has loaded everything.
CONFIG = """annotation_task_name: Bench
task_dir: .
output_annotation_dir: out
data_files: [items.jsonl]
item_properties: {id_key: id, text_key: text}
require_password: false
assignment_strategy: fixed_order
max_annotations_per_user: %(each)s
max_annotations_per_item: 1
annotation_schemes:
  - {annotation_type: likert, name: meaning, description: Meaning, min_label: none, max_label: all,
  size: 5}
  - {annotation_type: likert, name: grammar, description: Grammar, min_label: none, max_label: all,
  size: 5}
"""
ITEM = re.compile(r'id="instance_id"[^>]*value="([^"]+)"')


def program() -> str | None:
    """Potato's program, if there is one."""
    return os.environ.get(VARIABLE) or shutil.which("potato")


def measure(seconds: int) -> None:
    """Ratios are beside what `collect` and `start` measured before in this run."""
    potato = program()
    if potato is None:
        note(f"Potato: not run, it is not in PATH and {VARIABLE} does not name it")
        return
    with server(potato, HELD) as (port, began, memory):
        line(
            "Potato: start with 1,600 items to a page", began, "s", rivals=_ours("start", began, 1)
        )
        clients = [_Annotator(number) for number in range(CLIENTS)]
        for client in clients:  # One after the other: the queues are then known.
            client.log_in(port)
        phase = run(clients, 10 * seconds, _judge_queue)  # type: ignore[arg-type]
        _show("items", phase)
        note(f"memory at rest {memory:.0f} MB PSS; load {os.getloadavg()[0]:.1f}")
    with server(potato, 1000) as (port, _, _):
        clients = [_Annotator(number) for number in range(CLIENTS)]
        for client in clients:
            client.log_in(port)
        _show("turns", run(clients, seconds / 3, _take_turn))  # type: ignore[arg-type]


def _show(what: str, phase: Phase) -> None:
    rate = phase.turns / phase.seconds
    line(f"Potato: {what}, {CLIENTS} clients", rate, f"{what}/s", rivals=_ours(what, rate, -1))
    line("    p95 of a request", phase.p95, "ms")
    note(f"{phase.turns} {what} in {phase.requests} requests, {len(phase.wrong)} refused")


def _ours(what: str, theirs: float, direction: int) -> str:
    """How many times as good this project was; `direction` 1 where less is better."""
    return ", ".join(
        f"paraanno on {database} x {(theirs / ours) ** direction:.2f}"
        for (kind, database), ours in table.KEPT.items()
        if kind == what
    )


@contextlib.contextmanager
def server(potato: str, each: int) -> Iterator[tuple[int, float, float]]:
    """A project of its own: its port, seconds to the first page, and memory at rest in MB."""
    folder, port = Path(tempfile.mkdtemp(prefix="paraanno-potato-")), free_port()
    (folder / "config.yaml").write_text(CONFIG % {"each": each})
    with (folder / "items.jsonl").open("w") as out:
        for number in range(CLIENTS * each):
            text = f"Sentence {number} has phrase {number // 2} in it."
            out.write(json.dumps({"id": f"i{number}", "text": text}) + "\n")
    begin = time.perf_counter()
    process = subprocess.Popen(
        [potato, "start", "config.yaml", "-p", str(port)],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _until_up(process, port, begin)
        began = time.perf_counter() - begin
        time.sleep(REST)
        one = psutil.Process(process.pid)
        every = [one, *one.children(recursive=True)]
        yield port, began, sum(part.memory_full_info().pss for part in every) / 2**20
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        shutil.rmtree(folder)


def _until_up(process: subprocess.Popen[bytes], port: int, begin: float) -> None:
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/").close()
            return
        except OSError:
            if process.poll() is not None or time.perf_counter() - begin > 120:
                raise
        time.sleep(0.02)


@dataclass
class _Annotator:
    """One login. `queue` are its items that were not judged yet."""

    number: int
    queue: list[str] = field(default_factory=list)
    item: str = ""
    times: list[float] = field(default_factory=list)
    turns: int = 0
    wrong: list[Any] = field(default_factory=list)

    @property
    def dry(self) -> bool:
        return not self.queue and not self.item

    def log_in(self, port: int) -> None:
        # Its server closes the connection after each answer.
        self.connect: Callable[[], http.client.HTTPConnection] = lambda: http.client.HTTPConnection(
            "127.0.0.1", port, timeout=60
        )
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        answer, _ = self._ask("POST", "/auth", urlencode({"email": f"b{self.number}"}), form)
        self.cookie = str(answer.headers["Set-Cookie"]).partition(";")[0]
        self.reload()
        first = int(self.item[1:])
        self.queue = [f"i{first + n}" for n in range(HELD)]

    def _ask(
        self, method: str, path: str, body: str | None, headers: dict[str, str]
    ) -> tuple[http.client.HTTPResponse, str]:
        connection = self.connect()
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer, text

    def post(self, path: str, body: dict[str, Any]) -> str | None:
        """One timed request; None where it was refused."""
        headers = {"Content-Type": "application/json", "Cookie": self.cookie}
        begin = time.perf_counter()
        answer, text = self._ask("POST", path, json.dumps(body), headers)
        self.times.append(time.perf_counter() - begin)
        if answer.status != 200 or '"status": "error"' in text:
            self.wrong.append((answer.status, text[:200]))
            return None
        return text

    def reload(self) -> None:
        """Look where the annotator stands, as a person does after an error."""
        _, page = self._ask("GET", "/annotate", None, {"Cookie": self.cookie})
        found = ITEM.search(page)
        self.item = found[1] if found else ""

    def judge(self, item: str) -> bool:
        answers = {"meaning:4": "4", "grammar:5": "5"}
        body = {"instance_id": item, "annotations": answers, "span_annotations": []}
        return self.post("/updateinstance", body) is not None


def _judge_queue(client: _Annotator, step: int) -> None:
    client.item = ""
    client.turns += client.judge(client.queue.pop(0))


def _take_turn(client: _Annotator, step: int) -> None:
    """Judge the item and get the next one."""
    judged = client.judge(client.item)
    page = client.post("/annotate", {"action": "next_instance", "instance_id": client.item})
    found = ITEM.search(page or "")
    client.turns += bool(judged and found)
    client.queue = []
    if found:
        client.item = found[1]
    else:
        client.reload()

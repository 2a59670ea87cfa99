"""Readers of a board and teams that upload, in a process of its own: `... PORT SECONDS FILE READS
SENDS`. The last two are seconds between two requests of one reader and of one team, on average.

FILE is JSON: `readers` and `teams` as sessions, `board` and `upload` as addresses, and `answers`,
the text of a submission. It prints a line of JSON with what they met.
"""

from __future__ import annotations

import http.client
import json
import random
import statistics
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

TOKEN = "t" * 32
MARK = "a-line-between-parts"


class Visitor:
    """One login with a connection of its own; it remembers the ETag, as a browser does."""

    def __init__(self, port: int, session: str) -> None:
        self.port, self.etag = port, ""
        self.headers = {
            "Cookie": f"sessionid={session}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
        }
        self.times: list[float] = []
        self.codes: Counter[int] = Counter()
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> None:
        begin = time.perf_counter()
        try:
            self.connection.request(method, path, body, {**self.headers, **headers})
            answer = self.connection.getresponse()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self.connection.close()
            self.connection.request(method, path, body, {**self.headers, **headers})
            answer = self.connection.getresponse()
        answer.read()
        self.times.append(1000 * (time.perf_counter() - begin))
        self.codes[answer.status] += 1
        self.etag = answer.headers.get("ETag") or self.etag

    def read(self, about: dict[str, Any]) -> None:
        self.ask("GET", about["board"], None, {"If-None-Match": self.etag} if self.etag else {})

    def send(self, about: dict[str, Any]) -> None:
        parts = [f'--{MARK}\r\nContent-Disposition: form-data; name="track"\r\n\r\nmetrics\r\n']
        name = 'name="file"; filename="choices.tsv"'
        parts += [f"--{MARK}\r\nContent-Disposition: form-data; {name}\r\n\r\n", about["answers"]]
        parts += [f"\r\n--{MARK}--\r\n"]
        kind = {"Content-Type": f"multipart/form-data; boundary={MARK}"}
        self.ask("POST", about["upload"], "".join(parts).encode(), kind)


def main(
    port: int, seconds: float, about: dict[str, Any], reads: float, sends: float
) -> dict[str, Any]:
    end = time.perf_counter() + seconds
    readers = [Visitor(port, session) for session in about["readers"]]
    teams = [Visitor(port, session) for session in about["teams"]]

    def go(visitor: Visitor, act: Any, every: float) -> None:
        time.sleep(random.uniform(0, every))
        while time.perf_counter() < end:
            act(visitor, about)
            time.sleep(random.expovariate(1 / every))

    threads = [threading.Thread(target=go, args=(v, Visitor.read, reads)) for v in readers]
    threads += [threading.Thread(target=go, args=(v, Visitor.send, sends)) for v in teams]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"reads": _told(readers), "uploads": _told(teams)}


def _told(visitors: list[Visitor]) -> dict[str, Any]:
    times = [one for visitor in visitors for one in visitor.times]
    codes = sum((visitor.codes for visitor in visitors), Counter())
    p95 = statistics.quantiles(times, n=100)[94] if len(times) > 1 else 0.0
    return {"n": len(times), "p95": p95, "codes": dict(codes)}


if __name__ == "__main__":
    given = json.loads(Path(sys.argv[3]).read_text())
    times = [float(one) for one in sys.argv[4:6]]
    print(json.dumps(main(int(sys.argv[1]), float(sys.argv[2]), given, *times)))

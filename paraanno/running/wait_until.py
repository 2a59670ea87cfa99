"""Become a worker when it is time: `python wait_until.py prepared|answers|wanted PLACE COMMAND...`.

`prepared FILE`: once the file exists, which the start makes when tables and demo are there.

`answers HOST:PORT`: once the web server answers there, or has failed to for a while. Web server and
workers load the same modules; on few cores the first page would wait for all of them, and nobody
has work for a worker before there is a page.

`wanted FILE`: once the file exists, which is then removed. A worker that is seldom needed takes no
memory until somebody asks for it.

Run as a file, so that nothing of the product is loaded while waiting.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable

PATIENCE = 10.0  # Seconds; work must not wait for a web server that cannot start.


def answers(place: str) -> bool:
    """Return whether a server answers at "host:port"; it may take connections before it can."""
    host, _, port = place.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=1) as connection:
            connection.sendall(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
            return bool(connection.recv(1))
    except OSError:
        return False


def prepared(place: str) -> bool:
    """Return whether the file is there."""
    return os.path.exists(place)


def wanted(place: str) -> bool:
    """Return whether the file was there, and remove it."""
    try:
        os.unlink(place)
    except FileNotFoundError:
        return False
    return True


# What is waited for, for how long at most, and how often it is looked for.
CONDITIONS: dict[str, tuple[Callable[[str], bool], float, float]] = {
    "prepared": (prepared, float("inf"), 0.05),
    "answers": (answers, PATIENCE, 0.05),
    "wanted": (wanted, float("inf"), 0.25),
}


def main(arguments: list[str]) -> None:
    name, place, *command = arguments
    holds, patience, pause = CONDITIONS[name]
    end, supervisor = time.monotonic() + patience, os.getppid()
    while not holds(place) and time.monotonic() < end:
        if os.getppid() != supervisor:
            sys.exit("The process that started this one has ended.")
        time.sleep(pause)
    os.execv(command[0], command)  # noqa: S606 (no shell is wanted)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Become a worker when it is time: `python wait_until.py listens|wanted PLACE COMMAND...`.

`listens HOST:PORT`: once the web server answers there, or has failed to for a while. Web server and
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


def listens(place: str) -> bool:
    """Return whether a server takes connections at "host:port"."""
    host, _, port = place.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=1).close()
    except OSError:
        return False
    return True


def wanted(place: str) -> bool:
    """Return whether the file was there, and remove it."""
    try:
        os.unlink(place)
    except FileNotFoundError:
        return False
    return True


# What is waited for, for how long at most, and how often it is looked for.
CONDITIONS: dict[str, tuple[Callable[[str], bool], float, float]] = {
    "listens": (listens, PATIENCE, 0.05),
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

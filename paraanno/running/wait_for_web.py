"""Become a worker once the web server listens: `python wait_for_web.py ADDRESS COMMAND...`.

Web server and workers load the same modules. On few cores the first page would wait for all of
them, and nobody has work for a worker before there is a page. Run as a file, so that nothing of
the product is loaded while waiting.
"""

from __future__ import annotations

import os
import socket
import sys
import time

PATIENCE = 10.0  # Seconds; work must not wait for a web server that cannot start.


def listens(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True


def main(arguments: list[str]) -> None:
    address, *command = arguments
    host, _, port = address.rpartition(":")
    end, supervisor = time.monotonic() + PATIENCE, os.getppid()
    while not listens(host.strip("[]"), int(port)) and time.monotonic() < end:
        time.sleep(0.05)
    if os.getppid() != supervisor:
        sys.exit("The process that started this one has ended.")
    os.execv(command[0], command)  # noqa: S606 (no shell is wanted)


if __name__ == "__main__":
    main(sys.argv[1:])

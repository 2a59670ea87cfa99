"""The process of a sandbox: it confines itself, then calls the function it was started for.

It has no network: by a name space of its own where one may be made (Linux, as root or where users
may make name spaces), and everywhere by a hook of Python that refuses sockets and other programs,
which the C code of a parser would not meet.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import resource
import signal
import sys
import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NoReturn

from paraanno.common.records import Json, error_sentence, parts_of
from paraanno.common.sandbox.unreadable import unreadable
from paraanno.common.texts import Sentence, message_of

_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38
_NEWUSER, _NEWNET = 0x10000000, 0x40000000
FULL = (errno.ENOSPC, errno.EDQUOT)
# What no reader of a file does.
REFUSED = ("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.system", "pty.")


def main() -> NoReturn:
    request = json.loads(sys.argv[1])
    confine(**request["allowed"])
    end_with(request["parent"])
    tell = Teller(request["send"])
    try:
        resolve_name(request["target"])(tell, *request["args"])
        tell.end("done")
    except BaseException as error:  # noqa: BLE001 libraries raise what is no Exception
        tell.end(*worded(error))
    os._exit(0)  # Nothing that a parser has left behind is run.


def worded(error: BaseException) -> tuple[Json, ...]:
    """Return what is told of an error."""
    if isinstance(error, MemoryError):
        return ("memory",)
    if isinstance(error, OSError) and error.errno in (*FULL, errno.EFBIG):
        return ("large",) if error.errno == errno.EFBIG else ("errno", error.errno)
    text = message_of(error)
    if not isinstance(text, Sentence):
        if (reason := unreadable(error)) is not None:
            return "unreadable", str(reason), parts_of(reason)
        text, trace = error_sentence(error), "".join(traceback.format_exception(error))[-4000:]
        return "failed", str(text), parts_of(text), trace
    return "refused", str(text), parts_of(text), int(getattr(error, "line", 0))


class Teller:
    """What the process tells its caller: a line of JSON for each message."""

    def __init__(self, send: int) -> None:
        self._stream = os.fdopen(send, "wb", 1 << 16)
        self._lock = threading.Lock()

    def __call__(self, message: Any, *, at_once: bool = True) -> None:
        self._write("told", message, at_once=at_once)

    def end(self, *message: Json) -> None:
        with suppress(BrokenPipeError):  # Nobody listens any more.
            self._write(*message, at_once=True)

    def _write(self, *message: Any, at_once: bool) -> None:
        line = json.dumps(message).encode() + b"\n"
        with self._lock:
            self._stream.write(line)
            if at_once:
                self._stream.flush()


def confine(*, seconds: int, memory: int, file: int) -> None:
    """Take away what a reader of one file does not need; called before threads are started."""
    for kind, soft, hard in (
        (resource.RLIMIT_CPU, seconds, seconds + 5),
        (resource.RLIMIT_AS, memory, memory),
        (resource.RLIMIT_FSIZE, file, file),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        most = resource.getrlimit(kind)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        with suppress(ValueError, OSError):  # macOS knows no bound of the address space.
            resource.setrlimit(kind, (soft, hard))
    with suppress(OSError):  # The first to go if the machine has no memory left.
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    if sys.platform.startswith("linux"):
        system = ctypes.CDLL(None)
        if system.unshare(_NEWNET):
            system.unshare(_NEWUSER | _NEWNET)
        system.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    sys.addaudithook(_refuse)


def _refuse(event: str, _: tuple[Any, ...]) -> None:
    if event.startswith(REFUSED):
        raise PermissionError(errno.EPERM, f"a reader of files does not need {event}")


def end_with(parent: int) -> None:
    """End this process with its parent: at once where the kernel does it, else within a second."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, name="watch-parent", daemon=True).start()


if __name__ == "__main__":
    main()

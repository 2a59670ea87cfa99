"""A process of its own for what reads a stranger's file with a library's parser.

Parsers are large, and written for honest files: one that is damaged, or made to, may keep them
busy for ever, ask for any amount of memory, or end their process. So `sandboxed` runs them in a
process that has nothing but the file: bounds of CPU, time, memory and of what it writes, no
network, no secrets, and no longer life than its caller. What it tells is JSON, never a pickle.
child.py is that process; docs/operations.md says what it keeps and what it does not.
"""

from __future__ import annotations

import json
import logging
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from paraanno.common.places import own_environment, own_program
from paraanno.common.records import Json, with_parts
from paraanno.common.texts import Sentence, SentenceError, joined, say

logger = logging.getLogger(__name__)

CHILD = "paraanno.common.sandbox.child"
# What it needs of the environment: no address of a database, no key.
PASSED = ("PATH", "HOME", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "PYTHONPATH")
CLOCK = 3  # A busy machine gives a process a third of its time, at worst.
MOST_TOLD = 64 * 2**20  # bytes of one message
MB = 2**20

TOO_LONG = say("it takes longer to read than its size allows: save it again, or split it")
TOO_MUCH = say("reading it takes more memory than its size allows: save it again, or split it")
TOO_LARGE = say("reading it makes larger files than its size allows: save it again, or split it")


@dataclass(frozen=True, slots=True)
class Allowance:
    """What the process may use: seconds of CPU (and three times as many by the clock), and bytes of
    memory and of a file that it writes."""

    seconds: int
    memory: int
    file: int

    @classmethod
    def of(cls, size: int, *, memory: int = 64, file: int = 8) -> Allowance:
        """Return what a file of `size` bytes may take, at so many times its size.

        Never more than an hour, nor than the machine has.
        """
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return cls(
            min(3600, 60 + 3 * size // MB),
            min(1536 * MB + memory * size, max(there, 1536 * MB)),
            64 * MB + file * size,
        )


class Unread(SentenceError):
    """A file that could not be read, and why; `line` is 0 where no line is to blame."""

    def __init__(self, message: Sentence, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class ReadingStopped(Unread):
    """A file for which the process was stopped, or that no decoder understands: no reader named a
    place in it."""


def sandboxed(
    target: str, *args: Json, allowed: Allowance, files: Sequence[int] = (), pulse: float = 0
) -> Iterator[Any]:
    """Run `target` ("module:function") in a process of its own, as `function(tell, *args)`, and
    yield what it gives to `tell`, as JSON. `files` are descriptors that it may use.
    With a `pulse`, None is yielded whenever nothing was told for so many seconds.

    The process ends with the iterator, however that ends. Raises Unread with the sentence that the
    function raised, or if it went beyond a limit or crashed; OSError if the disk is full.
    """
    receive, send = os.pipe()
    request = {
        "target": target,
        "args": args,
        "send": send,
        "parent": os.getpid(),
        "allowed": asdict(allowed),
    }
    try:
        child = subprocess.Popen(  # noqa: S603 our own program
            own_program(CHILD, json.dumps(request)),
            cwd="/",
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[send, *files],
            start_new_session=True,
        )
    except BaseException:
        os.close(receive)
        raise
    finally:
        os.close(send)
    try:
        yield from _answers_of(_lines(receive, CLOCK * allowed.seconds, pulse), child)
    finally:
        _end(child)
        os.close(receive)


def _environment() -> dict[str, str]:
    own = own_environment()
    passed = {name: own[name] for name in PASSED if name in own}
    return {**passed, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def _lines(receive: int, seconds: float, pulse: float) -> Iterator[bytes]:
    """Yield lines, empty ones for the pulse; time that the reader of these takes does not count."""
    rest = b""
    with selectors.DefaultSelector() as ready:
        ready.register(receive, selectors.EVENT_READ)
        while True:
            began = time.monotonic()
            patience = max(0.0, min(seconds, pulse or seconds))
            heard = ready.select(patience)
            seconds -= time.monotonic() - began
            if not heard and seconds <= 0:
                raise ReadingStopped(TOO_LONG)
            if not heard:
                yield b""
                continue
            block = os.read(receive, 1 << 16)
            if not block:
                return
            *whole, rest = (rest + block).split(b"\n") if b"\n" in block else (rest + block,)
            yield from whole
            if len(rest) > MOST_TOLD:
                raise ReadingStopped(TOO_MUCH)


def _answers_of(lines: Iterator[bytes], child: subprocess.Popen[bytes]) -> Iterator[Any]:
    for line in lines:
        message = json.loads(line) if line else ["told", None]
        match message:
            case ["told", value]:
                yield value
            case ["done"]:
                return
            case _:
                raise _failure(message)
    raise ReadingStopped(_ended(child.wait()))


def _failure(message: Any) -> Exception:
    """Return what is raised for the last word of a reader that failed."""
    match message:
        case ["refused", str(text), parts, int(number)]:
            return Unread(_sentence(text, parts), number)
        case ["unreadable", str(text), parts]:
            return ReadingStopped(_sentence(text, parts))
        case ["errno", int(number)]:
            return OSError(number, os.strerror(number))
        case ["memory"]:
            return ReadingStopped(TOO_MUCH)
        case ["large"]:
            return ReadingStopped(TOO_LARGE)
        case ["failed", str(text), parts, str(trace)]:
            logger.error("A reader failed in the sandbox: %s\n%s", text, trace)
            return ReadingStopped(_stops(_sentence(text, parts)))
    return ReadingStopped(_stops(say("it tells what nobody understands")))


def _sentence(text: str, parts: Any) -> Sentence:
    return joined("", [with_parts(text, parts)])


def _ended(code: int) -> Sentence:
    if code == -signal.SIGXCPU:
        return TOO_LONG
    if code == -signal.SIGKILL:  # By the system, which had no memory left.
        return TOO_MUCH
    return say(
        "its reader ended early (status %(code)s): it is damaged, or takes more memory than its "
        "size allows; save it again, or split it",
        code=code,
    )


def _stops(why: str) -> Sentence:
    return say(
        "its reader stops at it (%(why)s): it is damaged; save it again, or get it anew", why=why
    )


def _end(child: subprocess.Popen[bytes]) -> None:
    """Kill the process and what it has started, and wait for it."""
    if child.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()

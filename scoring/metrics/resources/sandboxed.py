"""Conversion of a file in the sandbox, whatever its kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from paraanno.plain.sandbox.parent import Allowance, ReadingStopped, Unread, sandboxed
from paraanno.plain.sentence import changed
from scoring.metrics.files import FileRefused, size_of
from scoring.metrics.resources import kinds

# How many times the size of a file the largest file of its store may have, and its reader's memory.
# Measured over all kinds, the greediest took 1.5 and 36 (sentences linked by hand).
FILE, MEMORY = 16, 100
PULSE_SECONDS = 1.0


def convert(
    kind: str, source: Path, folder: Path, *, progress: Callable[[float], None]
) -> dict[str, int]:
    """The same as `kinds.convert`, in a process that has nothing else to lose.

    `progress` is called each second, whether or not it moves on. Raises FileRefused too for a file
    that takes more than one of its size may, and what `progress` raises, which ends the process.
    """
    place = str(source.absolute())
    allowed = Allowance.of(size_of(source), memory=MEMORY, file=FILE)
    counts: dict[str, int] = {}
    share = 0.0
    try:
        for told in sandboxed(
            f"{__name__}:converting", kind, place, str(folder.absolute()), allowed=allowed,
            pulse=PULSE_SECONDS,
        ):  # fmt: skip
            if isinstance(told, dict):
                counts = told
                continue
            share = share if told is None else float(told)
            progress(share)
    except ReadingStopped as stopped:
        raise FileRefused.at(source, 0, stopped.message) from stopped
    except Unread as refusal:
        said = changed(refusal.message, lambda text: text.replace(place, str(source)))
        raise FileRefused(said) from refusal
    return counts


def converting(tell: Callable[[object], None], kind: str, source: str, folder: str) -> None:
    """What the process does."""
    tell(kinds.convert(kind, Path(source), Path(folder), progress=tell))

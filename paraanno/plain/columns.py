"""The columns that a reader of tables knows, and the errors about others."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection
from dataclasses import dataclass

from paraanno.plain.problems import ProblemLog, shown
from paraanno.plain.sentence import Sentence, say

NEAR = 0.7  # With less, "item" would be suggested for "system".
MOST_LISTED = 30


def did_you_mean(name: str, known: Collection[str]) -> Sentence | str:
    """Return a hint at the most similar known name, to follow this one; empty if there is none."""
    close = difflib.get_close_matches(name.lower()[:40], known, 1, NEAR)
    if not close or close[0] == name:
        return ""
    return say(" (did you mean %(name)s?)", name=shown(close[0]))


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns of a table: `knows` decides which are read, `words` lists them for people.

    Other columns are refused, or ignored if the reader is not `strict`. The `needed` ones must be
    present; if there are any, a file without records is an error too.
    """

    words: tuple[str, ...]
    knows: Callable[[str], bool]
    needed: tuple[str, ...] = ()
    strict: bool = True

    @classmethod
    def of(cls, needed: tuple[str, ...]) -> Columns:
        """Return columns that must be present; all others are ignored."""
        return cls(words=needed, knows=frozenset(needed).__contains__, needed=needed, strict=False)

    def reads(self, name: str) -> bool:
        """Return True for a column whose errors matter."""
        return self.strict or self.knows(name)

    def null_is_value(self, name: str) -> bool:
        """Return True if null (in JSON) is more than an empty cell."""
        return False

    def other_kind(self, names: Collection[str]) -> Sentence | None:
        """Return an error if the columns look like those of another kind of file."""
        return None

    def refuse(self, line: int, names: Collection[str], log: ProblemLog) -> bool:
        """Log the columns that are missing or unknown; return True if there are any."""
        missing = [name for name in self.needed if name not in names]
        if missing:
            log.error(line, _missing(missing, names))
        unknown = [name for name in names if not self.knows(name)] if self.strict else []
        listed = log.errors > 0  # The list of all names is long and shown once.
        for name in unknown:
            hint = did_you_mean(name, self.words)
            if not hint and not listed:
                hint = say(" (known are %(words)s)", words=", ".join(self.words))
                listed = True
            log.error(line, self.unknown(hint), name)
        return bool(missing or unknown)

    def no_record(self, line: int, message: Sentence, log: ProblemLog) -> None:
        """Log that the file has no records."""
        (log.error if self.needed else log.warn)(line, message)

    def unknown(self, hint: str) -> Sentence:
        """Return the error about an unknown column."""
        return say("unknown column%(hint)s: correct or delete it", hint=hint)


def _missing(missing: list[str], names: Collection[str]) -> Sentence:
    there = list(names)[:MOST_LISTED]
    return say(
        "there is no column %(missing)s%(hint)s: correct the name or add the column (there are "
        "%(there)s)",
        missing=", ".join(missing),
        hint=did_you_mean(missing[0], there),
        there=", ".join(there) + (" ..." if len(names) > MOST_LISTED else ""),
    )

"""Errors and warnings about a file, with their lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from paraanno.plain.sentence import Sentence, say

Severity = Literal["error", "warning"]
MAX_PROBLEMS = 1000
SHOWN = 60


@dataclass(frozen=True, slots=True)
class Problem:
    """One error or warning. `line` counts physical lines of the file from 1."""

    file: str
    line: int
    column: str | None
    message: Sentence
    severity: Severity = "error"

    def __str__(self) -> str:
        where = f"column {shown(self.column)}: " if self.column is not None else ""
        mark = "warning: " if self.severity == "warning" else ""
        return f"{self.file}:{self.line}: {mark}{where}{self.message}"


def shown(text: str) -> str:
    """Return the text in quotes, on one line, printable on any terminal, shortened if long."""
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")


@dataclass(slots=True)
class ProblemLog:
    """A collector of the problems of one file; beyond `limit` they are counted, not kept.

    `column_of` gives the name that the file has for a column, where it is not ours.
    """

    file: str
    limit: int = MAX_PROBLEMS
    errors: int = 0
    warnings: int = 0
    column_of: Callable[[str], str] | None = None
    _kept: dict[Severity, list[Problem]] = field(
        default_factory=lambda: {"error": [], "warning": []}
    )
    _last_line: int = 1

    def error(self, line: int, message: Sentence, column: str | None = None) -> None:
        """Add an error, which prevents the import."""
        self.errors += 1
        self._note(line, message, column, "error")

    def warn(self, line: int, message: Sentence, column: str | None = None) -> None:
        """Add a warning about something that is allowed but probably not intended."""
        self.warnings += 1
        self._note(line, message, column, "warning")

    def _note(self, line: int, message: Sentence, column: str | None, severity: Severity) -> None:
        self._last_line = max(self._last_line, line)
        kept = self._kept[severity]
        if column is not None and self.column_of is not None:
            column = self.column_of(column)
        if len(kept) < self.limit:
            kept.append(Problem(self.file, line, column, message, severity))

    def problems(self) -> tuple[Problem, ...]:
        """Return the problems kept, errors first, each kind followed by its "and N more"."""
        return tuple(self._closed("error", self.errors)) + tuple(
            self._closed("warning", self.warnings)
        )

    def _closed(self, severity: Severity, count: int) -> Iterator[Problem]:
        kept = self._kept[severity]
        yield from kept
        if count > len(kept):
            left = count - len(kept)
            more = (
                say("and %(n)s more errors; put these right first", n=left)
                if severity == "error"
                else say("and %(n)s more warnings; put these right first", n=left)
            )
            yield Problem(self.file, self._last_line, None, more, severity)


RowT = TypeVar("RowT")


@dataclass(frozen=True, slots=True)
class Parsed(Generic[RowT]):
    """The valid rows of a file, and its problems. Nothing is imported unless `ok` is true.

    A line with an error gives no row; rows keep the order of the file.
    """

    rows: tuple[RowT, ...]
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """True if there is no error (there may be warnings)."""
        return not any(problem.severity == "error" for problem in self.problems)

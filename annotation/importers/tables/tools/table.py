"""What a recogniser says of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from annotation.importers.tables.books import Book, Row
from paraanno.common.texts import Sentence


@dataclass(frozen=True, slots=True)
class ToolColumn:
    """A column of the plain table: its role with `of` and `scale` (as in a `MapColumn`), and why.

    `ask`: somebody should look. With the role `ignore`, `reason` is the harmless reason.
    """

    name: str
    role: str
    reason: Sentence
    of: str = ""
    scale: str = ""
    ask: bool = False


@dataclass(frozen=True, slots=True)
class ToolTable:
    """A file of a tool as a plain table.

    `rows` reads it anew each time: row 0 holds the names of `columns`, the others plain cells with
    the numbers by which the file's owner finds them. `what` is items, judgments or gold. `left_out`
    are pieces that are not read and are no column ("3 texts": "skipped"); `asks` keep the import
    waiting, and `refused` says what is missing in a file that cannot be imported. `legends` are
    the questions by the columns of their answers.
    """

    tool: str
    what: str
    columns: tuple[ToolColumn, ...]
    rows: Callable[[], Iterator[Row]]
    left_out: tuple[tuple[Sentence, Sentence], ...] = ()
    asks: tuple[Sentence, ...] = ()
    refused: Sentence | None = None
    fixed: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    legends: Mapping[str, str] = field(default_factory=dict)


# The opened file, what is wanted of it (None: the likelier), and the scales of the campaign.
Recogniser = Callable[[Book, str | None, Sequence[str]], ToolTable | None]

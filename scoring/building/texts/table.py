"""The kind `texts`: a table as CSV, TSV or JSON Lines, kept with its columns as they are named.

A store has `rows.jsonl` (an object for each row, empty cells left out) and `about.json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraanno.plain.columns import Columns
from paraanno.plain.problems import Problem, ProblemLog, shown
from paraanno.plain.records import read_records
from paraanno.plain.sentence import Sentence, joined, say
from scoring.metrics.files import FileRefused, byte_lines, sha256, size_of
from scoring.metrics.resources.stores import About

ROWS, ID = "rows.jsonl", "id"
Row = dict[str, str]
_ABOUT = About(
    frozenset({"rows", "columns"}), say("is not a store of a table of texts; add it again.")
)
_EVERY = Columns(words=(), knows=lambda name: True, strict=False)
_MOST_PROBLEMS = 20
_MOST_COLUMNS = 200
_TELL_ROWS = 1000
_CHECKED = 0.2  # The share of the work that looking for endless lines takes, about.


@dataclass(frozen=True, slots=True)
class TextTable:
    """The columns of a table, in the order of the file, and its rows one by one."""

    columns: tuple[str, ...]
    n: int
    path: Path

    def check_columns(self, *names: str) -> None:
        """Raises FileRefused for the first that the table does not have."""
        for name in names:
            if name not in self.columns:
                raise FileRefused.at(
                    "texts", 1,
                    say("has no column %(name)s; it has %(names)s.",
                        name=repr(name), names=", ".join(self.columns)),
                )  # fmt: skip

    def rows(self) -> Iterator[Row]:
        """The rows; a cell that is empty is missing."""
        with self.path.open(encoding="utf-8") as stream:
            for line in stream:
                yield json.loads(line)


def convert(source: Path, folder: Path, *, progress: Callable[[float], None]) -> dict[str, int]:
    """Read a table into a store; the function of the kind `texts`.

    The first line decides what the file is: JSON Lines if it begins with {, TSV if it has a tab,
    else CSV. Ids (column `id`, if there is one) must be there and differ. Raises FileRefused.
    """
    size = size_of(source)
    with source.open("rb") as stream:
        for _line_of_text in byte_lines(stream, source):
            progress(_CHECKED * min(1.0, stream.tell() / size))
    log = ProblemLog(str(source), limit=_MOST_PROBLEMS)
    rows = _read(source, log)
    meta = write_texts(
        rows, folder, digest=sha256(source),
        progress=lambda share: progress(_CHECKED + (1 - _CHECKED) * share),
    )  # fmt: skip
    if log.errors:
        raise FileRefused(*map(_line, log.problems()))
    if not meta["rows"]:
        raise FileRefused.at(source, 0, say("has no row; write a line for each text."))
    return meta


def write_texts(
    rows: Iterable[Mapping[str, str]], folder: Path, *, digest: str,
    progress: Callable[[float], None] = lambda share: None, columns: Sequence[str] = (),
) -> dict[str, int]:  # fmt: skip
    """Write a store; the columns are those given, and others in the order that they are met in."""
    found = dict.fromkeys(columns)
    n = 0
    with (folder / ROWS).open("w", encoding="utf-8", newline="") as stream:
        for row in rows:
            found.update(dict.fromkeys(row))
            stream.write(json.dumps(dict(row), ensure_ascii=False) + "\n")
            n += 1
            if n % _TELL_ROWS == 0:
                progress(n / (n + 10 * _TELL_ROWS))  # How many follow is not known.
    if len(found) > _MOST_COLUMNS:
        raise FileRefused.at(
            "texts", 1,
            say("has %(n)s columns; keep %(most)s.", n=len(found), most=_MOST_COLUMNS),
        )  # fmt: skip
    progress(1.0)
    _ABOUT.write(folder, {"sha256": digest, "rows": n, "columns": list(found)})
    return {"rows": n, "columns": len(found)}


def open_texts(path: Path) -> TextTable:
    """The table of a store. Raises FileRefused if it is none."""
    about = _ABOUT.read(path)
    return TextTable(tuple(about["columns"]), int(about["rows"]), path / ROWS)


def at_row(number: int, message: Sentence, column: str | None = None) -> Sentence:
    """What is wrong with a row of a store. By its number, from 1 and of rows that have something in
    them: the store does not know the lines of the file that it was made from."""
    where = ["texts", say("row %(line)s", line=number)]
    if column is not None:
        where.append(f"column {shown(column)}")
    return joined(": ", (*where, message))


def _read(source: Path, log: ProblemLog) -> Iterator[Row]:
    ids: dict[str, int] = {}
    for cells in read_records(source, log=log, columns=_EVERY, format=_format(source)):
        row: Row = {}
        for name, value in cells.values.items():
            if isinstance(value, str) and not value.strip():
                continue
            text: Any = cells.label(name) if isinstance(value, int | float) else cells.text(name)
            if text is not None:
                row[name] = text
        if (key := row.get(ID)) is not None:
            cells.once(ID, key, ids)
        elif ids:
            cells.fail(ID, say("is empty: fill it in or delete the line"))
        if not cells.failed and row:
            yield row


def _format(source: Path) -> str:
    """What the first line with something in it looks like."""
    with source.open("rb") as stream:
        first = stream.readline(2**20).removeprefix(b"\xef\xbb\xbf").strip(b"\r\n")
    if first.lstrip().startswith(b"{"):
        return "jsonl"
    return "tsv" if b"\t" in first else "csv"


def _line(problem: Problem) -> Sentence:
    where = [f"{problem.file}:{problem.line}"]
    if problem.column is not None:
        where.append(f"column {shown(problem.column)}")
    return joined(": ", (*where, problem.message))

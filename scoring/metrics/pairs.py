"""Reading a file of pairs: columns id, original, paraphrase, reference, reference_2, ..."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scoring.metrics.base import Pair

REQUIRED = ("id", "original", "paraphrase")
MOST_PROBLEMS = 100  # A person reads no more.
_REFERENCE = re.compile(r"reference(_[1-9][0-9]*)?")
# Spreadsheets take such cells for formulas, so exports put an apostrophe in front.
_GUARDED = re.compile(r"'+[=+\-@\t\r]")


@dataclass(frozen=True, slots=True)
class PairsProblem:
    """What is wrong on one line, and what to do; line 0 is the file as a whole."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class PairsFile:
    """The pairs in file order and their ids; where there are problems no pair should be used."""

    ids: tuple[str, ...]
    pairs: tuple[Pair, ...]
    problems: tuple[PairsProblem, ...]


def read_pairs(path: Path) -> PairsFile:
    """Read a CSV file (or TSV, by its name) of pairs; UTF-8, with or without a byte order mark.

    Texts are normalised to NFC. The original may not be blank; a blank paraphrase is a text
    that gets no score; blank references are left out. Problems are reported, none raised, and
    reading ends at MOST_PROBLEMS of them.
    """
    name = str(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        return _refused(name, 0, f"cannot be read ({error.strerror}); check the name.")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return _refused(name, line, "is not UTF-8; save the file as UTF-8.")
    rows = _rows(text, "\t" if path.suffix.lower() == ".tsv" else ",")
    try:
        line, header = next(rows, (1, []))
    except _BadCsvError as error:
        return _refused(name, error.line, f"{error}; check the quotes here.")
    problem = _header_problem(header)
    if problem:
        return _refused(name, line, problem)
    return _read_rows(name, header, rows)


class _BadCsvError(ValueError):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Rows with the number of the line each begins on; blank lines are passed over."""
    # Split at line feeds alone: str.splitlines would also cut at form feeds inside a text.
    lines = iter(text.split("\n"))
    reader = csv.reader((line + "\n" for line in lines), delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise _BadCsvError(line, str(error)) from error
        if row:
            yield line, row


def _refused(name: str, line: int, message: str) -> PairsFile:
    return PairsFile((), (), (PairsProblem(name, line, message),))


def _header_problem(header: list[str]) -> str:
    if not header:
        return f"is empty; the first line must name the columns {', '.join(REQUIRED)}."
    missing = [name for name in REQUIRED if name not in header]
    if missing:
        apart = " with commas between (tabs in a file called .tsv)" if len(header) == 1 else ""
        return f"has no column {', '.join(missing)}; the first line must name it{apart}."
    for name in header:
        if header.count(name) > 1 and (name in REQUIRED or _REFERENCE.fullmatch(name)):
            return f"has the column {name} twice; take one out or rename it."
    return ""


def _read_rows(name: str, header: list[str], rows: Iterator[tuple[int, list[str]]]) -> PairsFile:
    references = sorted(
        (column for column in header if _REFERENCE.fullmatch(column)),
        key=lambda column: int(column.partition("_")[2] or 1),
    )
    seen: dict[str, int] = {}
    pairs: list[Pair] = []
    problems: list[PairsProblem] = []
    for line, cells in _until_broken(name, rows, problems):
        message = _row_problem(header, cells)
        if not message:
            row = {column: _text(cell) for column, cell in zip(header, cells, strict=True)}
            key = row["id"].strip()
            message = _key_problem(key, seen) or (
                "" if row["original"].strip() else "the original is blank; fill it in."
            )
        if message:
            problems.append(PairsProblem(name, line, message))
            if len(problems) == MOST_PROBLEMS:
                problems.append(PairsProblem(name, line, "reading ends here; correct these first."))
                break
            continue
        seen[key] = line
        given = tuple(row[column] for column in references if row[column].strip())
        pairs.append(Pair(row["original"], row["paraphrase"], given))
    if not pairs and not problems:
        problems.append(PairsProblem(name, 1, "has no pairs; add lines below the header."))
    return PairsFile(tuple(seen), tuple(pairs), tuple(problems))


def _until_broken(
    name: str, rows: Iterator[tuple[int, list[str]]], problems: list[PairsProblem]
) -> Iterator[tuple[int, list[str]]]:
    """The rows up to one that is no CSV, which becomes a problem of its own."""
    try:
        yield from rows
    except _BadCsvError as error:
        problems.append(PairsProblem(name, error.line, f"{error}; check the quotes here."))


def _row_problem(header: list[str], cells: list[str]) -> str:
    if len(cells) != len(header):
        return (
            f"has {len(cells)} cells where the header has {len(header)}; "
            "quote texts that hold the separator."
        )
    for column, cell in zip(header, cells, strict=True):
        if "\0" in cell:
            return f"column {column} holds a NUL character; take it out."
    return ""


def _key_problem(key: str, seen: dict[str, int]) -> str:
    if not key:
        return "the id is blank; give each pair its own."
    if key in seen:
        return f"the id {key} is already on line {seen[key]}; give each pair its own."
    return ""


def with_groups(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """The pairs, each with all distinct paraphrases that its original has among them."""
    groups: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        groups[pair.original].add(pair.paraphrase)
    together = {original: tuple(sorted(group)) for original, group in groups.items()}
    return tuple(replace(pair, group=together[pair.original]) for pair in pairs)


def _text(cell: str) -> str:
    return unicodedata.normalize("NFC", cell[1:] if _GUARDED.match(cell) else cell)


def guarded(text: str) -> str:
    """The text as a CSV cell that no spreadsheet takes for a formula; `read_pairs` undoes it."""
    return f"'{text}" if re.match(r"'*[=+\-@\t\r]", text) else text

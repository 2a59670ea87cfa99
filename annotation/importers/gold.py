"""Gold values made elsewhere, in the columns of our own gold export."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotation.importers.columns import (
    ITEM_COLUMNS,
    TARGET_COLUMNS,
    FileColumns,
    Memory,
    NewMemory,
    Place,
    knows_column,
    read_place,
)
from annotation.importers.items import Target, read_target
from paraanno.common.cells import Cells
from paraanno.common.records import RecordSource, read_records
from paraanno.common.texts import Parsed, Problem, ProblemLog, Source, say

MAX_METHOD = 100
SUFFIXES = ("", "_n", "_sd", "_method")
_EXTRA = frozenset({"systems", "pass", "pass_method", "pass_confidence"})
_DETAIL = ("_low", "_high", "_confidence", "_unit")


@dataclass(frozen=True, slots=True)
class GoldRow:
    """The published value of one substitution on one scale.

    `n` is the number of judgments behind it, `sd` their standard deviation, `method` how the value
    was computed; each is None if the file does not give it.
    """

    line: int
    target: Target
    scale: str
    value: float
    n: int | None = None
    sd: float | None = None
    method: str | None = None


def ambiguous(scales: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of a gold file that would not belong to one of these scales alone."""
    columns = [scale + suffix for scale in scales for suffix in SUFFIXES]
    return tuple(
        column
        for place, column in enumerate(columns)
        if column in columns[:place] or column in _EXTRA or knows_column(column)
    )


def read_gold(
    source: Source | RecordSource,
    *,
    name: str,
    scales: Sequence[str],
    format: str | None = None,
    raw: bool = False,
) -> Parsed[GoldRow]:
    """Read a gold file; `source`, `name`, `format` and `raw` as in `read_items`.

    For each scale S of `scales` the columns `S`, `S_n`, `S_sd`, `S_method` are read; an empty `S`
    gives no row. Item columns name the substitution. Other columns of our own export (item columns,
    `systems`, `pass`, intervals, confidences, probabilities, combinations of scales) are ignored.
    The same substitution and scale twice is an error that names both lines; so are scales whose
    columns cannot be told apart.
    """
    log = ProblemLog(name)
    rows = tuple(iter_gold(source, log=log, scales=scales, format=format, raw=raw))
    return Parsed(rows, log.problems())


def iter_gold(
    source: Source | RecordSource,
    *,
    log: ProblemLog,
    scales: Sequence[str],
    format: str | None = None,
    raw: bool = False,
    memory: NewMemory = dict,
) -> Iterator[GoldRow]:
    """Yield the rows of a gold file as they are read; the same as `read_gold`, where problems go to
    `log`, and `memory` makes what holds the earlier rows to compare with.
    """
    columns = [scale + suffix for scale in scales for suffix in SUFFIXES]
    for column in ambiguous(scales):
        log.error(1, say("could belong to a scale or not: files of gold cannot be read"), column)
    if log.errors:
        return
    seen: Memory[int] = memory()

    def knows(column: str) -> bool:
        return knows_column(column) or knows_gold_column(column, scales)

    accepted = FileColumns(
        kind=say("gold"), words=(*ITEM_COLUMNS, *columns, "systems", "pass"), knows=knows
    )
    for cells in read_records(source, log=log, format=format, raw=raw, columns=accepted):
        yield from _rows(cells, scales, seen)


def knows_gold_column(column: str, scales: Sequence[str]) -> bool:
    """True for a column that only a file of gold has, with these scales."""
    own = any(column == scale + suffix for scale in scales for suffix in SUFFIXES)
    return own or column in _EXTRA or _of_export(column, scales)


def _of_export(column: str, scales: Sequence[str]) -> bool:
    """True for a column of our export about a combination of scales or the uncertainty of a
    value.
    """
    if any(column.startswith(f"{scale}_p_") for scale in scales):
        return True
    return any(
        column.endswith(suffix)
        and all(part in scales for part in column.removesuffix(suffix).split(" + "))
        for suffix in (*SUFFIXES, *_DETAIL)
    )


def _rows(cells: Cells, scales: Sequence[str], seen: Memory[int]) -> list[GoldRow]:
    target = read_target(cells)
    rows: list[GoldRow] = []
    for scale in scales:
        value = cells.number(scale)
        n, sd = cells.integer(scale + "_n"), cells.number(scale + "_sd")
        method = cells.name(scale + "_method", MAX_METHOD)
        if sd is not None and sd < 0:
            cells.fail(scale + "_sd", say("is negative: a standard deviation cannot be"))
        if value is None and sd is not None and not cells.failed:
            cells.fail(scale, say("is empty although its standard deviation is given: fill it in"))
        if value is not None and target is not None and not cells.failed:
            line = seen.setdefault((target.key, scale), cells.line)
            if line != cells.line:
                cells.fail(
                    scale,
                    say("the same text has a value in line %(line)s too: remove one", line=line),
                )
            rows.append(GoldRow(cells.line, target, scale, value, n, sd, method))
    return [] if cells.failed else rows


# Expected values of controls and practice texts: one record per text and scale.


MAX_SCALE = 40
MAX_EXPLANATION = 500
PARTS = ("practice", "test")
WATCHING = ("control", "practice")
_COLUMNS = FileColumns.fixed(
    say("expected values"), (*TARGET_COLUMNS, "scale", "low", "high", "explanation", "part")
)


@dataclass(frozen=True, slots=True)
class ExpectedRow:
    """The band from `low` to `high` of one text on one scale; `part` is for practice texts."""

    line: int
    target: Target
    scale: str
    low: float
    high: float
    explanation: str = ""
    part: str = "practice"


def read_expected(
    source: Source, *, name: str, format: str | None = None, raw: bool = False
) -> Parsed[ExpectedRow]:
    """Read a file of expected values; arguments as in `read_items`.

    The role is control or practice. A row without `high` expects `low` alone. The same text and
    scale twice is an error naming both lines.
    """
    log = ProblemLog(name)
    rows: list[ExpectedRow] = []
    seen: dict[tuple[object, ...], int] = {}
    for cells in read_records(source, log=log, format=format, raw=raw, columns=_COLUMNS):
        row = _row(cells)
        if row is None:
            continue
        first = seen.setdefault((row.target.key, row.scale), row.line)
        if first != row.line:
            log.error(
                row.line,
                say("the same text and scale are in line %(first)s too: remove one", first=first),
            )
        else:
            rows.append(row)
    return Parsed(tuple(rows), log.problems())


def _row(cells: Cells) -> ExpectedRow | None:
    target = read_target(cells)
    scale = cells.name("scale", MAX_SCALE)
    low, high = cells.number("low"), cells.number("high")
    explanation, part = cells.text("explanation") or "", cells.choice("part", PARTS)
    if cells.failed or target is None:
        return None
    if target.role not in WATCHING:
        cells.fail("role", say("is %(role)s: it must be control or practice", role=target.role))
    if scale is None:
        cells.fail("scale", say("is empty: name the scale"))
    if low is None:
        cells.fail("low", say("is empty: give the lowest right value"))
    elif high is not None and high < low:
        cells.fail("high", say("is below low: swap them"))
    if len(explanation) > MAX_EXPLANATION:
        cells.fail(
            "explanation",
            say("has more than %(most)s characters: shorten it", most=MAX_EXPLANATION),
        )
    if cells.failed or scale is None or low is None:
        return None
    return ExpectedRow(
        cells.line, target, scale, low, low if high is None else high, explanation, part
    )


# Files of fixed lists: who judges what, one item a line.


LONGEST = 60
LISTS = FileColumns.fixed(
    say("lists"), ("annotator", "list", "item", "phrase", "sentence", "start", "end")
)


@dataclass(frozen=True, slots=True)
class ListRow:
    """An item for an annotator (by code), or for a list that waits for one (by its name).

    The item is given by its outside id, or by its place; one of the two is None.
    """

    line: int
    annotator: str | None
    list_name: str | None
    item: str | None
    place: Place | None

    @property
    def whose(self) -> tuple[str, str]:
        """Equal for the rows of one list."""
        return (self.annotator or "", self.list_name or "")


def read_lists(
    source: Source | RecordSource, *, name: str, format: str | None = None, raw: bool = False
) -> Parsed[ListRow]:
    """Read a file of lists; `source`, `name`, `format` and `raw` as in `read_items`.

    An item twice on one list is an error that names both lines.
    """
    log = ProblemLog(name)
    seen: dict[tuple[object, ...], int] = {}
    rows: list[ListRow] = []
    for cells in read_records(source, log=log, format=format, raw=raw, columns=LISTS):
        row = _lists_row(cells)
        if row is None:
            continue
        first = seen.setdefault((row.whose, row.item, row.place), row.line)
        if first != row.line:
            cells.fail(
                None,
                say("the same item is on this list in line %(line)s too: remove one", line=first),
            )
            continue
        rows.append(row)
    return Parsed(tuple(rows), log.problems())


def _lists_row(cells: Cells) -> ListRow | None:
    annotator, named = cells.name("annotator", LONGEST), cells.name("list", LONGEST)
    if cells.failed:
        return None
    if (annotator is None) == (named is None):
        message = say(
            "nobody or two people are named: give either an annotator’s code or, for somebody who "
            "comes later, a list’s name"
        )
        cells.fail("annotator", message)
        return None
    item, place = cells.name("item"), None
    if item is None and not cells.failed:
        if not ({"sentence", "phrase"} & cells.values.keys()):
            cells.fail("item", say("is empty: give the item, or its phrase, sentence and start"))
        else:
            place = read_place(cells)
    if cells.failed or (item is None and place is None):
        return None
    return ListRow(cells.line, annotator, named, item, place)


# Lists of people to invite: one per line, name, e-mail, role, group.


COLUMNS = ("name", "email", "role", "group")
PEOPLE_LONGEST = {"name": 100, "email": 254, "role": 20, "group": 60}
_EMAIL = re.compile(r"[^@\s,;<>\"]+@[^@\s,;<>\"]+\.[^@\s,;<>\".]+")
_MAILBOX = re.compile(r"([^<>]*)<([^<>]*)>")


@dataclass(frozen=True, slots=True)
class InvitedPerson:
    """One line. The e-mail, the role and the group may be empty."""

    line: int
    name: str
    email: str
    role: str
    group: str


def people_read(
    text: str, *, name: str, roles: Sequence[str]
) -> tuple[list[InvitedPerson], list[Problem]]:
    """Read lines separated by commas, semicolons or tabs; empty lines and a line of headings are
    skipped.

    `name` is the file's name for problems; `roles` are allowed, the first is the default. An
    e-mail that occurs twice is a problem that names both lines.
    """
    lines = text.lstrip("\ufeff").splitlines()
    first = next((line for line in lines if line.strip()), "")
    divided = next((line for line in lines if re.search("[\t;,]", line)), "")
    separator = max("\t;,", key=divided.count)
    people: list[InvitedPerson] = []
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
        if not any(cells) or (line == first and cells[0].casefold() in ("name", "email", "e-mail")):
            continue
        one, problem = _person(cells, number, name, roles)
        if problem is None and one.email and one.email.casefold() in seen:
            where = seen[one.email.casefold()]
            problem = Problem(
                name,
                number,
                "email",
                say(
                    "%(email)s is in line %(line)s too: remove one of them",
                    email=one.email,
                    line=where,
                ),
            )
        if problem is not None:
            problems.append(problem)
            continue
        seen[one.email.casefold()] = number
        people.append(one)
    return people, problems


def _person(
    cells: list[str], number: int, file: str, roles: Sequence[str]
) -> tuple[InvitedPerson, Problem | None]:
    padded = [*cells, "", "", "", ""][:4]
    if "@" in padded[0] and not padded[1]:  # As mail programs write them: addresses without names,
        mailbox = _MAILBOX.fullmatch(padded[0])  # or "Name <address>".
        padded[:2] = [mailbox[1].strip(), mailbox[2].strip()] if mailbox else ["", padded[0]]
    given = dict(zip(COLUMNS, padded, strict=True))
    one = InvitedPerson(
        number, given["name"], given["email"], given["role"].casefold() or roles[0], given["group"]
    )
    return one, _wrong(one, given, cells, file, roles)


def _wrong(
    one: InvitedPerson, given: dict[str, str], cells: list[str], file: str, roles: Sequence[str]
) -> Problem | None:
    line = one.line
    if any(cells[4:]):
        message = say("more than four cells: give name, e-mail, role and group")
        return Problem(file, line, None, message)
    for column, longest in PEOPLE_LONGEST.items():
        if len(given[column]) > longest or "\0" in given[column]:
            message = say("longer than %(n)s characters, or with a NUL: shorten it", n=longest)
            return Problem(file, line, column, message)
    if one.email and not _EMAIL.fullmatch(one.email):
        message = say("%(text)s is no e-mail address: correct it", text=one.email)
        return Problem(file, line, "email", message)
    if not one.email and not one.name:
        message = say("neither a name nor an e-mail address: give one")
        return Problem(file, line, "name", message)
    if one.role not in roles:
        message = say(
            "%(text)s is no role: give one of %(roles)s, or nothing",
            text=one.role,
            roles=", ".join(roles),
        )
        return Problem(file, line, "role", message)
    return None

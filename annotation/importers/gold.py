"""Gold values made elsewhere, in the columns of our own gold export."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotation.importers.columns import ITEM_COLUMNS, Known, knows_column
from annotation.importers.memory import Memory, NewMemory
from annotation.importers.targets import Target, read_target
from paraanno.plain.cells import Cells
from paraanno.plain.lines import Source
from paraanno.plain.problems import Parsed, ProblemLog
from paraanno.plain.records import RecordSource, read_records
from paraanno.plain.sentence import say

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

    known = Known(kind=say("gold"), words=(*ITEM_COLUMNS, *columns, "systems", "pass"), knows=knows)
    for cells in read_records(source, log=log, format=format, raw=raw, columns=known):
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

"""Writer of Excel files (.xlsx), in constant memory."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, BinaryIO

from annotation.exporters.columns import Column
from annotation.exporters.values import cell_text
from paraanno.plain.sentence import SentenceError, say

MOST_ROWS = 1_048_575  # of a sheet, below the names of the columns
MOST_COLUMNS = 16_384
MOST_CHARACTERS = 32_767  # of a cell
MOST_EXACT = 10**15  # Excel keeps fifteen digits


class ExcelError(SentenceError):
    """What an Excel sheet cannot hold."""


def write_excel(
    rows: Iterable[Mapping[str, object]],
    stream: BinaryIO,
    columns: Sequence[Column],
    *,
    sheet: str = "paraanno",
) -> int:
    """Write all rows to one sheet; return their number.

    Texts are cells of text and never formulas, whatever they begin with; numbers and flags are
    cells of their kind, longer whole numbers than Excel keeps and times (ISO 8601, UTC) are text;
    lists and JSON values are JSON text. Raises ExcelError for what a sheet cannot hold.
    """
    from xlsxwriter import Workbook

    if len(columns) > MOST_COLUMNS:
        raise ExcelError(
            say("an Excel sheet has at most %(most)s columns: export CSV", most=MOST_COLUMNS)
        )
    count = 0
    with Workbook(stream, {"constant_memory": True, "strings_to_formulas": False}) as book:
        page = book.add_worksheet(sheet)
        page.freeze_panes(1, 0)
        bold = book.add_format({"bold": True})
        for at, column in enumerate(columns):
            page.write_string(0, at, column.name, bold)
        for count, row in enumerate(rows, 1):
            if count > MOST_ROWS:
                raise ExcelError(
                    say("an Excel sheet has at most %(most)s rows: export CSV", most=MOST_ROWS)
                )
            for at, column in enumerate(columns):
                _write(page, count, at, column, row.get(column.source))
    return count


def _write(page: Any, row: int, at: int, column: Column, value: object) -> None:
    if value is None or value == "":
        return
    if isinstance(value, bool):
        page.write_boolean(row, at, value)
        return
    number = isinstance(value, int | float) and math.isfinite(value) and abs(value) < MOST_EXACT
    if number and column.kind not in ("json", "text"):
        page.write_number(row, at, value)
        return
    text = value if isinstance(value, str) and not isinstance(value, datetime) else None
    text = cell_text(value, raw=True) if text is None else text
    if len(text) > MOST_CHARACTERS:
        raise ExcelError(
            say(
                "row %(row)s, column %(column)s: an Excel cell holds at most %(most)s characters: "
                "export CSV",
                row=row + 1, column=column.name, most=MOST_CHARACTERS,
            )
        )  # fmt: skip
    page.write_string(row, at, text)

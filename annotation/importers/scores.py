"""Scores of an external metric, for texts or entire systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from annotation.importers.columns import ITEMS, Known, knows_column
from annotation.importers.targets import Target, read_target
from paraanno.plain.cells import Cells
from paraanno.plain.lines import Source
from paraanno.plain.problems import Parsed, ProblemLog
from paraanno.plain.records import read_records
from paraanno.plain.sentence import say

SCORE = "score"
PREFIX = "score."
MAX_SCORE_NAME = 100
# A line with none of these is about an entire system.
_TEXT = ("item", "phrase", "sentence", "paraphrase")


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """The scores of one line: of a text (`target`) or of an entire system (`system`).

    `values` maps columns to scores; a missing column is undefined.
    """

    line: int
    target: Target | None
    system: str | None
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ScoresParsed(Parsed[ScoreRow]):
    """The rows; `columns` are those with scores, in file order: `score` or `score.NAME`."""

    columns: tuple[str, ...] = ()


def read_scores(
    source: Source, *, name: str, format: str | None = None, raw: bool = False
) -> ScoresParsed:
    """Read a file of scores; `source`, `name`, `format` and `raw` as in `read_items`.

    The columns of a judgments file name the text. Other columns of an items file are allowed and
    ignored, so that scores can be added to a copy of it. A line that names no text but a `system`
    has the score of that system. The scores are in `score`, or in several columns `score.NAME`.
    Lines on controls and copies are skipped with a warning. Whether two lines refer to the same
    text is checked later.
    """
    log = ProblemLog(name)
    columns: dict[str, None] = {}

    def knows(column: str) -> bool:
        if column == SCORE or (
            column.startswith(PREFIX) and 0 < len(column) - len(PREFIX) <= MAX_SCORE_NAME
        ):
            columns[column] = None
            return True
        return knows_column(column)

    known = Known(
        kind=say("scores of a metric"), words=(SCORE, f"{PREFIX}NAME", *ITEMS.words), knows=knows
    )
    records = read_records(source, log=log, format=format, raw=raw, columns=known)
    rows = tuple(row for cells in records for row in _rows(cells, columns))
    # A problem of the entire file, such as its kind, is enough.
    if not columns and all(problem.column is not None for problem in log.problems()):
        log.error(
            1,
            say(
                "there is no score: name the column 'score', or several 'score.NAME'; items "
                "without scores are imported as items (import_items)"
            ),
        )
    return ScoresParsed(rows, log.problems(), tuple(columns))


def _rows(cells: Cells, columns: Mapping[str, None]) -> Iterator[ScoreRow]:
    values = {column: cells.number(column) for column in columns}
    given = {column: value for column, value in values.items() if value is not None}
    system = cells.name("system")
    if cells.failed:
        return
    if system is not None and not any(column in cells.values for column in _TEXT):
        yield ScoreRow(cells.line, None, system, given)
        return
    if "paraphrase" not in cells.values and system is not None and not given:
        return  # As in an items file: the system gave no text.
    target = read_target(cells)
    if target is None:
        return
    if target.role != "output":
        cells.log.warn(
            cells.line,
            say(
                "is skipped: metrics score texts of the role output only, not %(role)s",
                role=target.role,
            ),
        )
        return
    yield ScoreRow(cells.line, target, None, given)


def column_label(column: str, name: str) -> str:
    """Return the label of a score column: its own name, or `name` for the column `score`."""
    return column.removeprefix(PREFIX).strip() if column != SCORE else name

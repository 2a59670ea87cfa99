"""Expected values of controls and practice texts: one record per text and scale."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.importers.columns import TARGET_COLUMNS, Known
from annotation.importers.targets import Target, read_target
from paraanno.plain.cells import Cells
from paraanno.plain.lines import Source
from paraanno.plain.problems import Parsed, ProblemLog
from paraanno.plain.records import read_records
from paraanno.plain.sentence import say

MAX_SCALE = 40
MAX_EXPLANATION = 500
PARTS = ("practice", "test")
WATCHING = ("control", "practice")
_COLUMNS = Known.fixed(
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

"""Judgments made elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from math import isfinite
from typing import Literal

from annotation.importers.columns import (
    INFORMATIVE,
    ITEMS,
    TARGET_COLUMNS,
    FileColumns,
    Memory,
    NewMemory,
    knows_column,
)
from annotation.importers.items import Target, read_target
from paraanno.common.cells import Cells, Columns
from paraanno.common.records import RecordSource, read_records
from paraanno.common.texts import (
    Parsed,
    ProblemLog,
    Sentence,
    Source,
    cannot_be_read,
    open_lines,
    say,
    shown,
)

Repeats = Literal["error", "number"]
KINDS = ("rating", "adjudication")
STATUSES = ("counted", "surplus", "draft")
MAX_CODE = 60
MAX_SCALE = 40
MAX_OCCASION = 32_767
_COLUMNS = FileColumns.fixed(
    say("judgments"),
    (
        *TARGET_COLUMNS,
        "annotator",
        "scale",
        "value",
        "reason",
        "occasion",
        "kind",
        "status",
        "judged_at",
        "recorded_at",
        "guideline",
        "comment",
        # Columns of our exports that are only informative: an imported judgment starts with its own
        # version 1, and the items tell which texts are copies.
        "version",
        "made_from",
        *INFORMATIVE,
    ),
)
COLUMN_NAMES = frozenset(_COLUMNS.words)


@dataclass(frozen=True, slots=True)
class JudgmentRow:
    """One judgment. `value` None means "cannot judge", with its `reason` if given.

    `annotator` is empty where nobody knows who gave it. `requested_occasion` is the occasion that
    the file gives, before repeats were numbered: rows that name one text in two ways are numbered
    again. Times are aware, in UTC. `judged_at` is the time given by the file; `recorded_at` and
    `guideline` come from our own exports. Whether the value is on its scale is checked later.
    """

    line: int
    target: Target
    annotator: str
    scale: str
    value: float | None
    reason: str | None = None
    occasion: int = 1
    kind: str = "rating"
    status: str = "counted"
    judged_at: datetime | None = None
    recorded_at: datetime | None = None
    guideline: str | None = None
    comment: str | None = None
    requested_occasion: int = field(default=1, compare=False)


def read_judgments(
    source: Source | RecordSource,
    *,
    name: str,
    format: str | None = None,
    raw: bool = False,
    annotator: str | None = None,
    repeats: Repeats = "error",
    anonymous: bool = False,
) -> Parsed[JudgmentRow]:
    """Read a judgments file; `source`, `name`, `format` and `raw` as in `read_items`.

    `annotator` is the code for records that name none. A second judgment by the same annotator of
    the same substitution, scale, occasion and kind is an error that names both lines, or, with
    `repeats="number"`, gets the next free occasion in the order of the file. With `anonymous`,
    records that name nobody stay so, and each may be another person's.
    """
    log = ProblemLog(name)
    rows = iter_judgments(
        source,
        log=log,
        format=format,
        raw=raw,
        annotator=annotator,
        repeats=repeats,
        anonymous=anonymous,
    )
    return Parsed(tuple(rows), log.problems())


def iter_judgments(
    source: Source | RecordSource,
    *,
    log: ProblemLog,
    format: str | None = None,
    raw: bool = False,
    annotator: str | None = None,
    repeats: Repeats = "error",
    anonymous: bool = False,
    memory: NewMemory = dict,
) -> Iterator[JudgmentRow]:
    """Yield the rows of a judgments file as they are read; the same as `read_judgments`, where
    problems go to `log`, and `memory` makes what holds the earlier rows to compare with.
    """
    keys = JudgmentKeys(log, repeats, memory=memory)
    for cells in read_records(source, log=log, format=format, raw=raw, columns=_COLUMNS):
        row = _row(cells, "" if anonymous else annotator, keys, anonymous=anonymous)
        if row is not None:
            yield row


def _row(
    cells: Cells, default: str | None, keys: JudgmentKeys, *, anonymous: bool
) -> JudgmentRow | None:
    target = read_target(cells, roles=True)
    code = cells.name("annotator", MAX_CODE) or ("" if cells.failed else default)
    scale = cells.name("scale", MAX_SCALE)
    value = cells.number("value")
    reason = cells.name("reason")
    occasion = cells.integer("occasion", 1, MAX_OCCASION) or 1
    kind, status = cells.choice("kind", KINDS), cells.choice("status", STATUSES)
    judged_at, recorded_at = cells.moment("judged_at"), cells.moment("recorded_at")
    guideline, comment = cells.name("guideline"), cells.text("comment")
    if cells.failed or target is None:
        return None
    if not anonymous and (code is None or (default is not None and code != default)):
        cells.fail("annotator", _not_the_one(code, default))
    if scale is None:
        cells.fail("scale", say("is empty: name the scale"))
    if value is not None and reason is not None:
        cells.fail("reason", say("is given beside a value: empty one of them, or use the comment"))
    if cells.failed or code is None or scale is None:
        return None
    numbered: int | None = occasion
    if code:
        numbered = keys.take(cells.line, (target.key, code, scale, kind), occasion)
    if numbered is None:
        return None
    return JudgmentRow(
        cells.line,
        target,
        code,
        scale,
        value,
        reason,
        numbered,
        kind,
        status,
        judged_at,
        recorded_at,
        guideline,
        comment,
        occasion,
    )


def _not_the_one(code: str | None, expected: str | None) -> Sentence:
    if code is None:
        return say(
            "is empty: fill it in, say whose judgments these are, or import them as anonymous"
        )
    return say(
        "is %(code)s, not %(asked)s: correct the file or the annotator that was chosen",
        code=shown(code),
        asked=shown(expected or ""),
    )


class JudgmentKeys:
    """The judgments read so far, to detect duplicates.

    `resolved` says that the keys are those of the campaign, not the words of the file: a duplicate
    that the reader passed is named in two ways.
    """

    def __init__(
        self,
        log: ProblemLog,
        repeats: Repeats,
        *,
        resolved: bool = False,
        memory: NewMemory = dict,
    ) -> None:
        if repeats not in ("error", "number"):
            raise ValueError(f"repeats must be 'error' or 'number', not {repeats!r}")
        self._log = log
        self._number = repeats == "number"
        self._resolved = resolved
        self._seen: Memory[dict[int, int]] = memory()

    def take(self, line: int, key: tuple[object, ...], occasion: int) -> int | None:
        """Return the occasion of the judgment; None (and an error) for a duplicate."""
        lines: dict[int, int] = self._seen.get(key, {})
        if occasion in lines and not self._number:
            self._log.error(line, self._twice(occasion, lines[occasion]))
            return None
        while occasion in lines:
            occasion = max(lines) + 1
        if occasion > MAX_OCCASION:
            self._log.error(
                line,
                say(
                    "there are more than %(most)s occasions: leave out the later ones",
                    most=MAX_OCCASION,
                ),
                "occasion",
            )
            return None
        lines[occasion] = line
        self._seen[key] = lines
        return occasion

    def _twice(self, occasion: int, other: int) -> Sentence:
        if self._resolved:
            return say(
                "names the text or the scale differently from line %(other)s, but it is the same "
                "annotator, text, scale and occasion %(occasion)s: remove one, give it another "
                "occasion, or have repeats numbered",
                occasion=occasion,
                other=other,
            )
        return say(
            "the same annotator, text, scale and occasion %(occasion)s are in line %(other)s "
            "too: remove one, give it another occasion, or have repeats numbered",
            occasion=occasion,
            other=other,
        )


# Published judgments of the pairs of PPDB 2.0 (Pavlick et al. 2015), read as our records.
#
# A line is `mean TAB [category] TAB phrase TAB paraphrase TAB score,score,...`, without a header.
# The scores of a line are sorted, so that the third of one line and of another need not be of the
# same person: the judgments are those of anonymous annotators, and only statistics that need no
# identities (Krippendorff's alpha, one-way ICC, shares of equal pairs) may be computed from them.


FORMAT = "ppdb"
SCALE = "MEANING"
_ROUNDED = 0.051  # Means may be given with one digit.


class PpdbRecords(RecordSource):
    """The records of such a file as items, as judgments (one for each score), or as gold."""

    def __init__(self, source: Source, what: str) -> None:
        self._source, self._what = source, what

    def records(self, log: ProblemLog, columns: Columns) -> Iterator[Cells]:
        """Yield the records; a line that is wrong is a problem in `log`."""
        try:
            with open_lines(self._source, log) as lines:
                for number, line in enumerate(lines, start=1):
                    flaw = lines.flaw(number, number)
                    if flaw is not None:
                        log.error(number, flaw)
                    elif line.strip():
                        yield from self._of(Cells(number, {}, log), line.rstrip("\r\n"))
        except OSError as error:
            log.error(1, cannot_be_read(error))

    def _of(self, cells: Cells, line: str) -> Iterator[Cells]:
        parts = line.split("\t")
        if len(parts) != 5 or not (parts[2].strip() and parts[3].strip()):
            text = say(
                "these are not the five fields of a pair: write mean, [category], phrase, "
                "paraphrase and scores with a TAB between them"
            )
            cells.fail(None, text)
            return
        mean, category, phrase, paraphrase, scores = parts
        values = [_number(one) for one in scores.split(",")]
        given = _number(mean)
        numbers = [one for one in values if one is not None]
        if given is None or len(numbers) < len(values):
            text = say("has a mean or a score that is no number: write 3.5 TAB ... TAB 3,4")
            cells.fail(None, text)
            return
        made = sum(numbers) / len(numbers)
        if abs(made - given) > _ROUNDED:
            text = say(
                "gives the mean %(given)s, but its scores have %(made)s: correct one of them",
                given=shown(mean),
                made=f"{made:.3g}",
            )
            cells.fail(None, text)
            return
        place: dict[str, object] = {"sentence": phrase, "paraphrase": paraphrase}
        if self._what == "items":
            named = category.strip().strip("[]")
            more = {"attr.substitution.category": named} if named else {}
            yield Cells(cells.line, place | more, cells.log)
        elif self._what == "gold":
            gold = {SCALE: made, f"{SCALE}_n": len(numbers), f"{SCALE}_method": "mean"}
            yield Cells(cells.line, place | gold, cells.log)
        else:
            for value in numbers:
                yield Cells(cells.line, {**place, "scale": SCALE, "value": value}, cells.log)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


# Scores of an external metric, for texts or entire systems.


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

    accepted = FileColumns(
        kind=say("scores of a metric"), words=(SCORE, f"{PREFIX}NAME", *ITEMS.words), knows=knows
    )
    records = read_records(source, log=log, format=format, raw=raw, columns=accepted)
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

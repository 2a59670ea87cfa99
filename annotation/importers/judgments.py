"""Judgments made elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from annotation.importers.columns import INFORMATIVE, TARGET_COLUMNS, Known
from annotation.importers.memory import Memory, NewMemory
from annotation.importers.targets import Target, read_target
from paraanno.plain.cells import Cells
from paraanno.plain.lines import Source
from paraanno.plain.problems import Parsed, ProblemLog, shown
from paraanno.plain.records import RecordSource, read_records
from paraanno.plain.sentence import Sentence, say

Repeats = Literal["error", "number"]
KINDS = ("rating", "adjudication")
STATUSES = ("counted", "surplus", "draft")
MAX_CODE = 60
MAX_SCALE = 40
MAX_OCCASION = 32_767
_COLUMNS = Known.fixed(
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

    `annotator` is empty where nobody knows who gave it. `asked` is the occasion that the file
    gives, before repeats were numbered: rows that name one text in two ways are numbered again.
    Times are aware, in UTC. `judged_at` is the time given by the file; `recorded_at` and
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
    asked: int = field(default=1, compare=False)


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
        source, log=log, format=format, raw=raw, annotator=annotator, repeats=repeats,
        anonymous=anonymous,
    )  # fmt: skip
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
    target = read_target(cells)
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
        cells.line, target, code, scale, value, reason, numbered, kind, status,
        judged_at, recorded_at, guideline, comment, occasion,
    )  # fmt: skip


def _not_the_one(code: str | None, asked: str | None) -> Sentence:
    if code is None:
        return say(
            "is empty: fill it in, say whose judgments these are, or import them as anonymous"
        )
    return say(
        "is %(code)s, not %(asked)s: correct the file or the annotator that was chosen",
        code=shown(code),
        asked=shown(asked or ""),
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

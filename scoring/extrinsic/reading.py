"""Reader of labelled texts: columns of texts (the original first) and one of labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from paraanno.plain.cells import Cells
from paraanno.plain.columns import Columns
from paraanno.plain.problems import Problem, ProblemLog, shown
from paraanno.plain.records import format_of, read_records
from paraanno.plain.sentence import Sentence, say

ID = "id"
MOST_CLASSES = 20
MOST_PROBLEMS = 100  # Nobody reads more.
_DECIMAL = re.compile(r"[+-]?\d*[.,]\d+")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class LabelledTexts:
    """Rows that can be used, in file order: `texts` by column, one for each of `ids` and `labels`.

    Counted and left out, in this order: rows without a label, rows with a column that has no word,
    and rows whose original repeats that of an earlier row (white space aside), of which
    `contradicting` had another label. `problems` are errors: if there are any, use no row.
    """

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    texts: dict[str, tuple[str, ...]]
    no_label: int
    no_text: int
    doubled: int
    contradicting: int
    problems: tuple[Problem, ...]

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(sorted(set(self.labels)))

    def counts(self) -> dict[str, int]:
        """How many rows are used, and how many are left out why."""
        return {
            "used": len(self.ids),
            "no_label": self.no_label,
            "no_text": self.no_text,
            "doubled": self.doubled,
            "doubled_with_another_label": self.contradicting,
        }


def read_labelled(path: Path, columns: Sequence[str], label: str) -> LabelledTexts:
    """Read a CSV file (or TSV or JSONL, by its name) of texts with a class.

    The first of `columns` is the original. A column `id` names the rows and must not repeat;
    without it they are numbered from 1. A label with a decimal part is a problem (a class is
    wanted, not a score), and so are less than 2 or more than MOST_CLASSES classes. Problems are
    returned, not raised.
    """
    log = ProblemLog(str(path), limit=MOST_PROBLEMS)
    needed = tuple(dict.fromkeys((*columns, label)))
    known = Columns(
        words=(ID, *needed),
        knows=lambda name: name == ID or name in needed,
        needed=needed,
        strict=False,
    )
    rows = _Rows(columns, label)
    for cells in read_records(path, log=log, columns=known, format=format_of(path.name, "csv")):
        rows.take(cells)
    classes = len(set(rows.labels))
    if not log.errors and not 2 <= classes <= MOST_CLASSES:
        log.error(0, _classes(classes, label))
    return LabelledTexts(
        tuple(rows.ids), tuple(rows.labels),
        {name: tuple(texts) for name, texts in rows.texts.items()},
        rows.no_label, rows.no_text, rows.doubled, rows.contradicting, log.problems(),
    )  # fmt: skip


def _classes(n: int, label: str) -> Sentence:
    if n < 2:
        return say(
            "the texts have %(n)s classes in column %(label)s: at least 2 are needed",
            n=n, label=shown(label),
        )  # fmt: skip
    return say(
        "the texts have %(n)s classes in column %(label)s, at most %(most)s are possible: name a "
        "column of classes, not of scores",
        n=n, label=shown(label), most=MOST_CLASSES,
    )  # fmt: skip


class _Rows:
    """Collects the rows that can be used, and counts the others."""

    def __init__(self, columns: Sequence[str], label: str) -> None:
        self._label = label
        self._lines: dict[str, int] = {}  # Where each id is.
        self._first: dict[str, str] = {}  # The label of each original.
        self.texts: dict[str, list[str]] = {name: [] for name in columns}
        self._original = columns[0]
        self.ids: list[str] = []
        self.labels: list[str] = []
        self.no_label = self.no_text = self.doubled = self.contradicting = 0

    def take(self, cells: Cells) -> None:
        key = self._id(cells)
        label = cells.name(self._label) if cells.values.get(self._label) is not None else None
        found = {name: cells.text(name) for name in self.texts}
        if label is not None and _DECIMAL.fullmatch(label):
            cells.fail(
                self._label,
                say("%(label)s is a number with decimals: give a class, not a score",
                    label=shown(label)),
            )  # fmt: skip
        if cells.failed:
            return
        if label is None:
            self.no_label += 1
            return
        texts = {name: text for name, text in found.items() if text and _WORD.search(text)}
        if len(texts) < len(found):
            self.no_text += 1
            return
        original = " ".join(texts[self._original].split())
        if original in self._first:
            self.doubled += 1
            self.contradicting += self._first[original] != label
            return
        self._first[original] = label
        self.ids.append(key)
        self.labels.append(label)
        for name, text in texts.items():
            self.texts[name].append(text)

    def _id(self, cells: Cells) -> str:
        if ID not in cells.values:
            # A row without an id is named by its number.
            key = str(len(self._lines) + 1)
        else:
            key = (cells.label(ID) or "").strip()
        cells.once(ID, key, self._lines)
        return key

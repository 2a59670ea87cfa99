"""Submissions as files: choices of pairs, scores of texts, or paraphrases of originals.

Each must answer everything once. A file is refused as a whole, with the number of what is missing
and the first lines; nothing of it is kept.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from paraanno.common.cells import Cells, Columns
from paraanno.common.records import read_records
from paraanno.common.texts import Problem, ProblemLog, Sentence, Source, say, shown
from scoring.stats.evaluation.pairwise import PairDecisions, direction
from scoring.stats.shared_tasks.board import Frozen, Rule
from scoring.stats.table import BoolArray, FloatArray, IntArray

Form = Literal["choice", "score", "text"]
CHOICES = {"a": 1, "b": -1, "=": 0}
NAMED = 5  # So many missing ids are named.
FIRST = 20  # So many lines of problems are shown.
MOST_BYTES = 20 * 2**20
MOST_CHARACTERS = 10_000  # Of one paraphrase.
_MARKS = re.compile(rb"[\"'_\r\0]")


@dataclass(frozen=True, slots=True)
class SubmissionLine:
    """One line: the id that it answers, and a direction, a number or a text."""

    id: str
    value: float | str


@dataclass(frozen=True, slots=True)
class Answers:
    """All answers of a file by id, in what form they are, and the problems of the file."""

    form: Form
    values: Mapping[str, float | str]
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        return not self.problems


KEYS: dict[Form, str] = {"choice": "pair", "score": "text", "text": "original"}
VALUES: dict[Form, str] = {"choice": "choice", "score": "score", "text": "text"}


def read_submission(
    source: Source | bytes,
    name: str,
    *,
    ids: Mapping[Form, Sequence[str]],
    format: str | None = None,
) -> Answers:
    """Read a submission in one of the forms of `ids`, each with the ids that it must answer.

    CSV, TSV or JSON Lines by the ending of the name, tab-separated if it has none of theirs.
    """
    if isinstance(source, bytes):
        plain = _plainly(source, ids) if format == "tsv" else None
        if plain is not None:
            return plain
        source = io.BytesIO(source)
    log = ProblemLog(name, limit=FIRST)
    columns = _expected(tuple(ids))
    values: dict[str, float | str] = {}
    lines: dict[str, int] = {}
    form: Form = next(iter(ids))
    valid_ids: set[str] = set(ids[form])
    for number, cells in enumerate(read_records(source, log=log, columns=columns, format=format)):
        if number == 0:
            form = columns.present[0] if columns.present else form
            valid_ids = set(ids[form])
        answer = _answer(cells, form)
        if answer is None:
            continue
        if answer.id not in valid_ids:
            cells.fail(KEYS[form], _unknown(answer.id))
        elif answer.id in values:
            cells.fail(
                KEYS[form],
                say(
                    "%(id)s was answered in line %(line)s already: keep one",
                    id=shown(answer.id),
                    line=lines[answer.id],
                ),
            )
        else:
            values[answer.id], lines[answer.id] = answer.value, cells.line
    problems = list(log.problems())
    wanted = ids[form]
    if len(values) < len(wanted) and (columns.present or not log.errors):
        problems.insert(0, Problem(name, 0, None, _missing(form, wanted, values)))
    return Answers(form, values, tuple(problems))


def _plainly(data: bytes, ids: Mapping[Form, Sequence[str]]) -> Answers | None:
    """All answers of a faultless file of two columns as most programs write it; None for any other.

    It takes a tenth of the time. Whatever it does not take is read line by line, which words every
    fault.
    """
    head, _, rest = data.replace(b"\r\n", b"\n").partition(b"\n")
    forms: tuple[Form, ...] = ("choice", "score")
    form = next((one for one in forms if head == f"{KEYS[one]}\t{VALUES[one]}".encode()), None)
    # Quotes, and an apostrophe before a formula, mean something in a table.
    if form is None or form not in ids or not rest.isascii() or _MARKS.search(rest):
        return None
    rows = [line.split("\t") for line in rest.decode().removesuffix("\n").split("\n")]
    if any(len(row) != 2 for row in rows):
        return None
    answers: dict[str, str] = dict(rows)
    if len(answers) != len(rows) or answers.keys() != set(ids[form]):
        return None
    try:
        read: Callable[[str], float] = CHOICES.__getitem__ if form == "choice" else float
        values: dict[str, float | str] = {key: read(value) for key, value in answers.items()}
    except (KeyError, ValueError):
        return None
    finite = form == "choice" or all(map(math.isfinite, values.values()))  # type: ignore[arg-type]
    return Answers(form, values, ()) if finite else None


def _unknown(id: str) -> Sentence:
    return say("%(id)s is not in the files of this task: correct the id, or the file", id=shown(id))


def _missing(form: Form, wanted: Sequence[str], values: Collection[str]) -> Sentence:
    without = [one for one in wanted if one not in values]
    first = ", ".join(without[:NAMED]) + (", ..." if len(without) > NAMED else "")
    count = {"n": len(without), "all": len(wanted), "first": first}
    if form == "choice":
        return say("%(n)s of %(all)s pairs have no choice (%(first)s): choose in all", **count)
    if form == "score":
        return say("%(n)s of %(all)s texts have no score (%(first)s): score all of them", **count)
    return say("%(n)s of %(all)s originals have no text (%(first)s): answer all of them", **count)


def _answer(cells: Cells, form: Form) -> SubmissionLine | None:
    key = cells.name(KEYS[form])
    if key is None and not cells.failed:
        cells.fail(KEYS[form], say("is empty: fill it in or delete the line"))
    value = _VALUE[form](cells)
    return None if cells.failed or key is None or value is None else SubmissionLine(key, value)


def _choice(cells: Cells) -> float | None:
    answer = cells.filled("choice")
    if answer is None:
        return None
    if answer.strip().lower() not in CHOICES:
        cells.fail("choice", say("%(value)s is none of a, b and =", value=shown(answer)))
        return None
    return CHOICES[answer.strip().lower()]


def _score(cells: Cells) -> float | None:
    value = cells.number("score")
    if value is None and not cells.failed:
        cells.fail("score", say("is empty: fill it in or delete the line"))
    return value


def _text(cells: Cells) -> str | None:
    value = cells.filled("text")
    if value is not None and len(value) > MOST_CHARACTERS:
        cells.fail(
            "text",
            say(
                "has %(n)s characters; at most %(most)s are allowed: shorten it",
                n=len(value),
                most=MOST_CHARACTERS,
            ),
        )
        return None
    return value


_VALUE: Mapping[Form, Callable[[Cells], float | str | None]] = {
    "choice": _choice,
    "score": _score,
    "text": _text,
}


@dataclass(frozen=True, kw_only=True)
class _Expected(Columns):
    """The columns of the allowed forms; other columns are ignored, both forms at once refused."""

    forms: tuple[Form, ...]
    present: list[Form] = field(default_factory=list)

    def other_kind(self, names: Collection[str]) -> Sentence | None:
        there = [form for form in self.forms if KEYS[form] in names and VALUES[form] in names]
        wanted = say(" or ").join(f"{KEYS[form]}, {VALUES[form]}" for form in self.forms)
        if len(there) > 1:
            return say(
                "the header has the columns of two kinds of submission: keep %(wanted)s",
                wanted=wanted,
            )
        if not there:
            return say(
                "the columns must be %(wanted)s, and here are %(names)s",
                wanted=wanted,
                names=shown(", ".join(names)),
            )
        self.present[:] = there
        return None


def _expected(forms: tuple[Form, ...]) -> _Expected:
    names = frozenset(name for form in forms for name in (KEYS[form], VALUES[form]))
    return _Expected(
        words=tuple(sorted(names)), knows=names.__contains__, strict=False, forms=forms
    )


# Submissions against the frozen gold: which pairs they order as people do, by original.


@dataclass(frozen=True, eq=False)
class PairTally:
    """Counts of one submission in the G clusters of a part: pairs that people tell apart, those
    in their order, and those that the submission ties."""

    pairs: FloatArray
    right: FloatArray
    tied: FloatArray

    @property
    def credit(self) -> FloatArray:
        """(G,) pairs in order, a tie counting half."""
        return self.right + self.tied / 2

    @property
    def strict(self) -> float | None:
        """The share of pairs in order, ties being wrong; None without pairs."""
        total = float(self.pairs.sum())
        return float(self.right.sum()) / total if total else None

    @property
    def half(self) -> float | None:
        """The share of pairs in order, ties counting half; None without pairs."""
        total = float(self.pairs.sum())
        return float(self.credit.sum()) / total if total else None


def decisions(answers: Answers, frozen: Frozen) -> IntArray:
    """Return the (P,) directions of a submission: 1 for a, -1 for b, 0 for a tie.

    Scores decide by which text has the higher one; equal within rounding error is a tie.
    """
    if answers.form == "choice":
        return np.array([answers.values[one] for one in frozen.pairs], dtype=np.int64)
    return np.asarray(direction(scores(answers, frozen), frozen.a, frozen.b), dtype=np.int64)


def scores(answers: Answers, frozen: Frozen) -> FloatArray:
    """Return the (T,) scores of a submission of scores."""
    return np.array([answers.values[one] for one in frozen.ids], dtype=np.float64)


def part_of(frozen: Frozen, part: str) -> BoolArray:
    """(C,) which clusters are in a part: public, or final."""
    public = np.zeros(int(frozen.cluster.max(initial=-1)) + 1, dtype=bool)
    public[frozen.cluster[frozen.public]] = True
    return public if part == "public" else ~public


def tally(directions: IntArray, frozen: Frozen, rule: Rule, part: str) -> PairTally:
    """Count a submission's decisions on the pairs of a part that people tell apart."""
    people, cluster = frozen.people(rule), frozen.pair_cluster
    inside = part_of(frozen, part)
    counted = (people != 0) & inside[cluster]
    groups = inside.size

    def count(rows: BoolArray) -> FloatArray:
        counts = np.bincount(cluster[counted & rows], minlength=groups)
        return counts[inside].astype(np.float64)

    return PairTally(
        count(np.ones(people.size, dtype=bool)), count(directions == people), count(directions == 0)
    )


def decisions_together(
    directions: Mapping[str, IntArray], frozen: Frozen, rule: Rule, part: str
) -> PairDecisions:
    """The counts that White's tables and McNemar's test need, a column for each submission."""
    people, cluster = frozen.people(rule), frozen.pair_cluster
    inside = part_of(frozen, part)
    counted = np.flatnonzero((people != 0) & inside[cluster])
    tallies = [tally(one, frozen, rule, part) for one in directions.values()]
    yes = np.column_stack([one[counted] == people[counted] for one in directions.values()])
    right = yes.astype(np.float64)
    return PairDecisions(
        tallies[0].pairs,
        np.column_stack([one.right for one in tallies]),
        np.column_stack([one.tied for one in tallies]),
        right.T @ (1 - right),
    )


def combined(model: FloatArray, metric: FloatArray) -> FloatArray:
    """Return a model's scores plus a metric's, each moved to 0 to 1 (White 2012, section 3)."""
    return _from_0_to_1(model) + _from_0_to_1(metric)


def _from_0_to_1(values: FloatArray) -> FloatArray:
    if not values.size:
        return values
    low, high = float(values.min()), float(values.max())
    return np.asarray((values - low) / ((high - low) or 1.0))


def choices_of(directions: Sequence[int]) -> list[str]:
    """Directions as a submission writes them."""
    return [{1: "a", -1: "b", 0: "="}[int(one)] for one in directions]

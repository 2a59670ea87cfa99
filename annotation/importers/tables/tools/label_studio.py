"""Exports of Label Studio (1.23): JSON, JSON_MIN, CSV, TSV, and the answers of its API.

JSON has a task with its annotations; the others a row an annotation, without cancelled ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from annotation.importers.tables.books import Book, Cell
from annotation.importers.tables.names import roles_named
from annotation.importers.tables.tools.common.answer_tables import table_of_answers
from annotation.importers.tables.tools.common.answers import (
    DRAFT,
    SKIPPED,
    Answered,
    Records,
    Tool,
    ToolTable,
    flat,
    like_remark,
    like_scale,
    names_of,
    plain,
    records_of,
)
from paraanno.common.texts import Sentence, say

NAME = "Label Studio"
TASK = {"data", "annotations"}
ROW = {"annotation_id", "annotator", "created_at", "updated_at", "lead_time"}
OWN = (*ROW, "id", "agreement", "ground_truth")  # not data and not a question
_OF_ID = say("the tool's number of the task")
JUDGED = ("rating", "number", "choices")
PREFERENCES = ("pairwise", "ranker", "selected")
SPANS = ("labels", "hypertextlabels", "paragraphlabels", "start")
OF_DATA = {"sentence", "phrase", "paraphrase", "reference", "system", "rank", "item"}
SAMPLE = 500


def recognise(book: Book, what: str | None, scales: Sequence[str]) -> ToolTable | None:
    """Return the plain table of an export of Label Studio; None for another file."""
    for sheet in book.sheets:
        names = names_of(book, sheet)
        if names >= TASK:
            return _of_tasks(book, sheet, what, scales)
        if names >= ROW:
            return _of_rows(book, sheet, what, scales)
    return None


def _of_tasks(book: Book, sheet: str, what: str | None, scales: Sequence[str]) -> ToolTable:
    odd: dict[str, str] = {}

    def records() -> Iterator[Answered]:
        for line, task in records_of(book, sheet):
            data = flat(task.get("data"))
            if not data:
                continue
            some = False
            for one in _list(task.get("annotations")):
                some = True
                yield _answered(line, data, one, odd)
            for _ in _list(task.get("drafts")):
                some = True
                yield Answered(line, data, why=DRAFT)
            if not some:
                yield Answered(line, data)

    return _table(records, odd, what, scales, rows=False)


def _answered(
    line: int, data: Mapping[str, Cell], one: Mapping[str, Any], odd: dict[str, str]
) -> Answered:
    answers: dict[str, Cell] = {}
    comments = []
    for result in _list(one.get("result")):
        name, kind = str(result.get("from_name") or ""), str(result.get("type") or "")
        value = result.get("value")
        if not isinstance(value, Mapping):
            continue
        if kind == "textarea":
            comments += [str(text) for text in _texts(value.get("text"))]
        elif kind in JUDGED:
            answers[name] = _value(value.get(kind))
        elif kind and name:
            odd[name] = kind
    why = SKIPPED if one.get("was_cancelled") else None
    return Answered(
        line,
        data,
        _person(one.get("completed_by")),
        answers,
        "\n".join(comments),
        _time(one),
        why,
    )


def _person(given: object) -> str:
    """Return who annotated: a number, or the e-mail or the number of an object."""
    if isinstance(given, Mapping):
        given = given.get("email") or given.get("username") or given.get("id")
    return "" if given is None else str(given)


def _time(one: Mapping[str, Any]) -> str:
    return str(one.get("updated_at") or one.get("created_at") or "")


def _of_rows(book: Book, sheet: str, what: str | None, scales: Sequence[str]) -> ToolTable:
    """Read JSON_MIN, CSV or TSV: questions are the columns whose cells are results."""
    odd: dict[str, str] = {}
    rows = [row for _, row in islice(records_of(book, sheet), SAMPLE)]
    questions = _questions(rows)

    def records() -> Iterator[Answered]:
        for line, row in records_of(book, sheet):
            data, answers, comments = {}, {}, []
            for name, cell in row.items():
                if name in questions:
                    value, kind = _cell(cell)
                    if kind in PREFERENCES or kind in SPANS:
                        odd[name] = kind
                    elif kind == "text":
                        comments.append(str(value or ""))
                    else:
                        answers[name] = value
                elif name == "id" or name not in OWN:
                    data[name] = plain(cell)
            yield Answered(
                line,
                flat(data),
                _person(row.get("annotator")),
                answers,
                "\n".join(comments),
                _time(row),
            )

    return _table(records, odd, what, scales, rows=True)


def _questions(rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the columns that hold answers: results, words that differ about the same texts, and
    what is called like a scale or a comment. Data and answers stand side by side."""
    names = [
        name for name in dict.fromkeys(name for row in rows for name in row) if name not in OWN
    ]
    texts = {name for name in names if set(roles_named(name)[:1]) & OF_DATA}
    results = {name for row in rows for name, cell in row.items() if _cell(cell)[1]}
    answers: dict[tuple[str, ...], set[str]] = {}
    for row in rows:
        text = tuple(str(row.get(name)) for name in ("id", *sorted(texts)))
        for name in names:
            if name in row and name not in texts:
                answers.setdefault((name, *text), set()).add(str(row[name]))
    differing = {key[0] for key, values in answers.items() if len(values) > 1}
    named = {name for name in names if like_scale(name) or like_remark(name)}
    given = results | differing | named
    # Of meaning_1 and meaning_2 both are answers, also where all agree about one.
    stems = {_stem(name) for name in given if _stem(name) != name}
    return (given | {name for name in names if _stem(name) in stems}) - texts


def _stem(name: str) -> str:
    """Return a name without the number behind it."""
    return name.rstrip("0123456789").rstrip(" _-.")


def _cell(cell: object) -> tuple[Cell, str]:
    """Return the value of a cell and the key that held it: [{"rating": 2}] is 2 and rating."""
    value = _json(cell)
    if isinstance(value, dict) and "choices" in value:
        return _value(value["choices"]), "choices"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        first = value[0]
        for kind in (*JUDGED, *PREFERENCES, *SPANS, "text"):
            if kind in first:
                return _value(first[kind]), kind
        return None, ""
    if isinstance(value, list):
        return _value(value), ""
    return plain(cell), ""


def _json(cell: object) -> object:
    if isinstance(cell, list | dict):
        return cell
    if not isinstance(cell, str) or cell[:1] not in ("[", "{"):
        return None
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return None


def _value(given: object) -> Cell:
    """Return one value: of several choices all, joined, so that they are no point."""
    if isinstance(given, list):
        return plain(given[0]) if len(given) == 1 else " | ".join(map(str, given)) or None
    return plain(given)


def _texts(given: object) -> list[object]:
    return given if isinstance(given, list) else [] if given is None else [given]


def _list(given: object) -> list[Mapping[str, Any]]:
    return [one for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []


def _table(
    records: Records, odd: dict[str, str], what: str | None, scales: Sequence[str], *, rows: bool
) -> ToolTable:
    sample = list(islice(records(), SAMPLE))
    tool = Tool(
        NAME,
        set_aside={"id": _OF_ID} if rows and _numbered_tasks(sample) else {},
        left_out=tuple(_pieces(odd)),
        no_texts=say(
            "the file holds no texts: export the project as JSON, which has the data of its tasks"
        ),
    )
    table = table_of_answers(tool, records, what, scales)
    answered = any(one.answers for one in sample)
    if what == "judgments" and odd and not answered:
        return ToolTable(
            NAME, "judgments", table.columns, table.rows, table.left_out, refused=_only(odd)
        )
    return table


def _numbered_tasks(sample: Sequence[Answered]) -> bool:
    """Whether the column id holds the tool's numbers: whole ones, another for each text."""
    ids: dict[object, set[object]] = {}
    for one in sample:
        text = tuple(value for name, value in one.data.items() if name != "id")
        ids.setdefault(text, set()).add(one.data.get("id"))
    numbers = [next(iter(one)) for one in ids.values()]
    return (
        all(len(one) == 1 for one in ids.values())
        and all(str(number).isdigit() for number in numbers)
        and len(set(numbers)) == len(numbers)
    )


def _pieces(odd: Mapping[str, str]) -> Iterator[tuple[Sentence, Sentence]]:
    for name, kind in odd.items():
        yield say("%(name)s", name=name), _why(kind)


def _why(kind: str) -> Sentence:
    if kind in PREFERENCES:
        return say("preferences between texts are no judgments of one text")
    if kind in SPANS:
        return say("marked spans are no judgments of the text")
    return say("answers of the kind %(kind)s are no judgments on a scale", kind=kind)


def _only(odd: Mapping[str, str]) -> Sentence:
    name, kind = next(iter(odd.items()))
    return say(
        "the answers to %(name)s are no judgments on a scale (%(why)s): import the texts as items, "
        "and judge them here",
        name=repr(name),
        why=_why(kind),
    )

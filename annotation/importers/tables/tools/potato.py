"""Files of Potato (2.12): the states of its annotators, and its exports, with the project's data.

The state files are the truth: the automatic export lags behind. None of them holds texts, which are
in the data file; a zip of the project has both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from annotation.importers.tables.books import Book, Cell
from annotation.importers.tables.tools.common.answer_tables import table_of_answers
from annotation.importers.tables.tools.common.answers import (
    SKIPPED,
    Answered,
    Tool,
    ToolTable,
    flat,
    names_of,
    plain,
    plain_text,
    records_of,
)
from paraanno.common.texts import say

NAME = "Potato"
STATE = "instance_id_to_label_to_value"
SHOWN = "displayed_text"
EXPORT = {"instance_id", "user_id"}
TICKS = {"instance_id", "user", SHOWN}  # of a table with a column for each scheme and point,
POINT = ":::"  # with this between both
FIRST_VERSION = {"id", SHOWN, "label_annotations"}
ACTION = "action_type"  # of the history, which is no export
SAMPLE = 2000
TICKED = ("true", "on", "yes")
Labels = Mapping[str, Cell]
Judged = tuple[int, str, str, Labels, bool]  # line, instance, user, answers, skipped


def recognise(book: Book, what: str | None, scales: Sequence[str]) -> ToolTable | None:
    """Return the plain table of a file or a zipped folder of Potato; None for another file."""
    names = {sheet: names_of(book, sheet) for sheet in book.sheets}
    states = [sheet for sheet in book.sheets if STATE in names[sheet]]
    exports = [
        sheet for sheet in book.sheets if names[sheet] >= EXPORT and ACTION not in names[sheet]
    ]
    ticked = [sheet for sheet in book.sheets if _is_ticked(names[sheet])]
    if ticked and not states and not exports:
        return _of_ticks(book, ticked[0], what, scales)
    first_version = [sheet for sheet in book.sheets if names[sheet] >= FIRST_VERSION]
    if first_version and not states and not exports:
        return _of_first_version(book, first_version, what, scales)
    if not states and not exports:
        return None
    sources = states or exports[:1]
    read = _of_state if states else _of_export
    first = next(iter(read(book, sources[0])), None)
    instances = {one[1] for sheet in sources for one in islice(read(book, sheet), SAMPLE)}
    others = [one for one in book.sheets if one not in states and one not in exports]
    texts = _texts(book, others, instances)

    def records() -> Iterator[Answered]:
        judged = set()
        for sheet in sources:
            for line, instance, user, answers, skipped in read(book, sheet):
                judged.add(instance)
                data = texts.get(instance, {})
                yield Answered(line, data, user, answers, why=SKIPPED if skipped else None)
        for line, (instance, data) in enumerate(texts.items(), 1):
            if instance not in judged:
                yield Answered(line, data)

    tool = Tool(
        NAME,
        left_out=tuple(
            (say("%(name)s", name=sheet), say("the state files of the same folder are newer"))
            for sheet in exports
            if states
        ),
        no_texts=say(
            "the file holds no texts, which are in the data file of the Potato project: put the "
            "folder of the project, with its data file and annotation_output, into one zip"
        ),
    )
    if first is None and not texts:
        return None
    return table_of_answers(tool, records, what, scales)


def _is_ticked(names: set[str]) -> bool:
    return names >= TICKS and any(POINT in name for name in names)


def _of_ticks(book: Book, sheet: str, what: str | None, scales: Sequence[str]) -> ToolTable:
    """Read a table with what was shown, and a column for each scheme and point. Instances that are
    called after their system (12#BART) say that where each original has one of each."""
    systems = _systems(str(row.get("instance_id")) for _, row in records_of(book, sheet))

    def records() -> Iterator[Answered]:
        for line, row in records_of(book, sheet):
            instance, labels = str(row.get("instance_id")), dict[str, list[tuple[str, object]]]()
            for name, value in row.items():
                scheme, sign, point = name.partition(POINT)
                if sign:
                    labels.setdefault(scheme, []).append((point, value))
            answers = {name: _one(one) for name, one in labels.items()}
            data = {"id": instance, "text": plain(row.get(SHOWN)), **systems.get(instance, {})}
            yield Answered(line, data, str(row.get("user") or ""), answers)

    points: dict[str, list[int]] = {}
    for name in names_of(book, sheet):
        scheme, sign, point = name.partition(POINT)
        if sign and point.isdigit():
            points.setdefault(scheme, []).append(int(point))
    table = table_of_answers(Tool(NAME), records, what, scales)
    legends = {name: f"{min(one)}-{max(one)}" for name, one in points.items()}
    return replace(table, legends=legends)


def _systems(instances: Iterable[str]) -> dict[str, dict[str, Cell]]:
    parts = {one: one.rpartition("#") for one in instances}
    by_text: dict[str, set[str]] = {}
    for text, _, system in parts.values():
        by_text.setdefault(text, set()).add(system)
    sets = [*by_text.values()]
    same = all(text and one == sets[0] for text, one in by_text.items())
    named = same and len(sets) > 1 and len(sets[0]) > 1
    return {one: {"system": system} for one, (_, _, system) in parts.items()} if named else {}


def _of_first_version(
    book: Book, sheets: Sequence[str], what: str | None, scales: Sequence[str]
) -> ToolTable:
    """Read annotated_instances.jsonl of version 1, which has what was shown; the folder of the file
    is called like its user."""

    def records() -> Iterator[Answered]:
        for sheet in sheets:
            user = PurePosixPath(sheet).parent.name
            for line, row in records_of(book, sheet):
                shown = plain(row.get("displayed_text"))
                yield Answered(line, {"text": shown}, user, _answers(row.get("label_annotations")))

    return table_of_answers(Tool(NAME), records, what, scales)


def _of_state(book: Book, sheet: str) -> Iterator[Judged]:
    for line, state in records_of(book, sheet):
        user = str(state.get("user_id") or "")
        labels = state.get(STATE)
        labels = labels if isinstance(labels, Mapping) else {}
        for instance, answers in labels.items():
            yield line, str(instance), user, _answers(answers), False
        order = state.get("instance_id_ordering")
        reached = state.get("current_instance_index")
        if isinstance(order, list) and isinstance(reached, int):
            for instance in order[: reached + 1]:
                if instance not in labels and str(instance) not in labels:
                    # The one that is open is no skip until the annotator goes on.
                    last = reached == len(order) - 1
                    if last or instance != order[reached]:
                        yield line, str(instance), user, {}, True


def _answers(given: object) -> dict[str, Cell]:
    """Return the answers by scheme, of a list of [{schema, name}, value] or an object."""
    values: dict[str, list[tuple[str, object]]] = {}
    if isinstance(given, list):
        for entry in given:
            if isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], Mapping):
                label = entry[0]
                values.setdefault(str(label.get("schema") or ""), []).append(
                    (str(label.get("name") or ""), entry[1])
                )
    elif isinstance(given, Mapping):
        for scheme, labels in given.items():
            if isinstance(labels, Mapping):
                values[str(scheme)] = [(str(name), value) for name, value in labels.items()]
            else:
                values[str(scheme)] = [("", labels)]
    return {scheme: _one(labels) for scheme, labels in values.items()}


def _one(labels: Sequence[tuple[str, object]]) -> Cell:
    """Return the answer to one scheme; several are joined, so that they are no point."""
    texts = []
    for name, value in labels:
        if value in (None, "", False) or str(value).casefold() in ("false", "nan"):
            continue
        ticked = value is True or str(value).casefold() in TICKED
        texts.append(name if ticked else plain(value))
    return texts[0] if len(texts) == 1 else " | ".join(map(str, texts)) or None


def _of_export(book: Book, sheet: str) -> Iterator[Judged]:
    for line, row in records_of(book, sheet):
        instance, user = str(row.get("instance_id") or ""), str(row.get("user_id") or "")
        if isinstance(row.get("labels"), Mapping):
            yield line, instance, user, _answers(row["labels"]), False
            continue
        labels: dict[str, list[tuple[str, object]]] = {}
        for name, value in row.items():
            if name not in EXPORT and not name.endswith("._spans"):
                scheme, _, label = name.partition(".")
                labels.setdefault(scheme, []).append((label, value))
        yield line, instance, user, {name: _one(one) for name, one in labels.items()}, False


def _texts(book: Book, sheets: Sequence[str], instances: set[str]) -> dict[str, Mapping[str, Cell]]:
    """Return the fields of the texts by instance, from the file whose ids these are."""
    for sheet in sheets:
        rows = [row for _, row in records_of(book, sheet)] if names_of(book, sheet) else []
        for name in dict.fromkeys(name for row in rows[:SAMPLE] for name in row):
            ids = [str(row.get(name)) for row in rows]
            if len(set(ids)) == len(ids) and instances and instances <= set(ids):
                return {key: _fields(row, name) for key, row in zip(ids, rows, strict=True)}
    return {}


def _fields(row: Mapping[str, Any], id_name: str) -> dict[str, Cell]:
    """Return the fields of a text; the field that is shown may be HTML."""
    fields = flat(row)
    fields.pop("item_id", None)
    return {
        name: plain_text(value) if isinstance(value, str) and name != id_name else value
        for name, value in fields.items()
    }

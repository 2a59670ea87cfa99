"""What of a row is not in its archive, or is there in another form: hashes, marks, the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from django.db import models

from annotation.importers.tables import ColumnMap
from annotation.importing.tables import mapping_digest
from annotation.models import (
    AuditEntry,
    ColumnMapping,
    ImportBatch,
    Item,
    Output,
    Phrase,
    Reference,
    Substitution,
    System,
)
from annotation.models.fields import text_digest
from paraanno.common.texts import say
from scoring.archives.rows import ACTOR, BadCell
from scoring.archives.tables import TABLES
from scoring.metrics.values import Met, state_hash
from scoring.models import Report, Run, RunChunk, TrendPoint
from scoring.models.runs import run_options_hash
from scoring.ratings.choice import Choice

Values = dict[str, Any]


class Around(Protocol):
    """What rows refer to: see `Ground` of restore.py. Before rows are written `ids` is empty."""

    @property
    def counts(self) -> Mapping[type[models.Model], int]: ...
    @property
    def ids(self) -> Mapping[type[models.Model], Sequence[int]]: ...
    @property
    def phrases(self) -> list[str]: ...


Derive = Callable[[Values, int, Any], Values]


def _objects(values: Values, *names: str) -> None:
    for name in names:
        if not isinstance(values[name], dict):
            raise BadCell(say("%(column)s is no JSON object", column=name))


def _phrase(values: Values, line: int, around: Around) -> Values:
    _objects(values, "attributes")
    return {"text_hash": text_digest(values["text"])}


def _item(values: Values, line: int, around: Around) -> Values:
    _objects(values, "attributes")
    phrase = around.phrases[values["phrase"] - 1]
    sentence, start, end = values["sentence"], values["start"], values["end"]
    if sentence[start:end] != phrase:
        raise BadCell(say("the span of the sentence is not the phrase"))
    return {"identity_hash": text_digest(phrase, sentence, start, end)}


def _reference(values: Values, line: int, around: Around) -> Values:
    return {"text_hash": text_digest(values["text"])}


def _substitution(values: Values, line: int, around: Around) -> Values:
    _objects(values, "attributes")
    own = values["own_sentence"]
    context = "" if own is None else text_digest(own, values["own_start"], values["own_end"])
    return {"text_hash": text_digest(values["text"]), "context_hash": context}


def _attributes(values: Values, line: int, around: Around) -> Values:
    _objects(values, "attributes")
    return {}


def _batch(values: Values, line: int, around: Around) -> Values:
    _objects(values, "counts", "provenance")
    return {}


def _mapping(values: Values, line: int, around: Around) -> Values:
    mapping = ColumnMap.from_json(values["mapping"])
    if mapping.what != values["what"]:
        raise BadCell(say("the row contradicts itself"))
    return {"mapping": mapping.to_json(), "digest": mapping_digest(mapping)}


def _run(values: Values, line: int, around: Around) -> Values:
    options, state = values["options"], values["state"]
    _objects(values, "options")
    if not all(isinstance(one, str) for one in options.values()):
        raise BadCell(say("the options of a run are texts"))
    if values["met"] is not None:
        Met(**values["met"])
    if values["status"] in Run.ACTIVE:
        raise BadCell(say("a run in an archive must have ended"))
    marks = {
        "last_substitution": Substitution,
        "last_reference": Reference,
        "last_output": Output,
    }
    return {
        "options_hash": run_options_hash(values["metric"], options, values["scope"]),
        "state_hash": state_hash(state),
        **{name: _id_of(values[name], model, around) for name, model in marks.items()},
    }


def _id_of(number: int | None, model: type[models.Model], around: Around) -> int | None:
    """The primary key of a row by its number; 0 is before the first."""
    if number is not None and not 0 <= number <= around.counts[model]:
        raise BadCell(say("it refers to a row that is not there: %(row)s", row=number))
    if not number or not around.ids:
        return number
    return around.ids[model][number - 1]


def _chunk(values: Values, line: int, around: Around) -> Values:
    if values["status"] in ("queued", "running"):
        raise BadCell(say("a run in an archive must have ended"))
    return {name: _id_of(values[name], Item, around) for name in ("first_item", "last_item")}


def _report(values: Values, line: int, around: Around) -> Values:
    """A report is kept as one of the past: what pages show is computed from the restored rows."""
    _objects(values, "options", "result")
    options = values["options"]
    if "batches" in options:
        numbers = [int(one) for one in options["batches"]]
        options = {
            **options,
            "batches": [str(_id_of(one, ImportBatch, around) or 0) for one in numbers],
        }
    about = options.get("asked")
    if about is not None and not isinstance(about, dict):
        raise BadCell(say("%(column)s is no JSON object", column="asked"))
    return {
        "options": options,
        "options_hash": Choice.from_json(options).digest(about),
        "fingerprint": text_digest("restored", line),
    }


def _trend(values: Values, line: int, around: Around) -> Values:
    """The overview of a site draws these numbers for its administrators."""
    _objects(values, "numbers")
    for value, low, high, name in values["numbers"].values():
        good = all(one is None or type(one) in (int, float) for one in (value, low, high))
        if not good or type(name) is not str:
            raise BadCell(say("the numbers of a day are not numbers"))
    return {}


def _entry(values: Values, line: int, around: Around) -> Values:
    _objects(values, "data")
    data = {name: value for name, value in values["data"].items() if name != ACTOR}
    if values["actor"]:
        data[ACTOR] = values["actor"]
    model = _BY_NAME.get(values["object_type"])
    about = ""
    if model is not None and values["object_id"]:
        about = str(_id_of(int(values["object_id"]), model, around) or "")
    return {"actor": None, "data": data, "object_id": about}


_BY_NAME = {table.name: table.model for table in TABLES}
DERIVED: dict[type[models.Model], Derive] = {
    Phrase: _phrase,
    Item: _item,
    Reference: _reference,
    Substitution: _substitution,
    ImportBatch: _batch,
    ColumnMapping: _mapping,
    Output: _attributes,
    System: _attributes,
    Run: _run,
    RunChunk: _chunk,
    Report: _report,
    TrendPoint: _trend,
    AuditEntry: _entry,
}

"""The rows of a campaign as an archive has them.

Callers have checked the user's access to the campaign (annotation/selectors/access.py), and hold a
snapshot of the database where others may be writing.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import Any

from django.db import models

from annotation.models import (
    Annotator,
    AuditEntry,
    Campaign,
    ImportBatch,
    Item,
    Output,
    Reference,
    Substitution,
)
from scoring.models import Look, Report, Run, RunChunk
from scoring.selectors.archives.cells import written
from scoring.selectors.archives.table import ArchiveTable
from scoring.selectors.archives.tables import TABLES, table_of
from scoring.selectors.archives.tokens import changed_texts, writer_of
from scoring.selectors.ratings.fingerprint import judgments_state

CHUNK = 2000
NOW = "now"  # The state of the judgments as they are archived, in a look.
ACTOR = "archived_actor"  # Where a restored entry of the log keeps who it was.
Cells = list[Any]


class Numbers:
    """The numbers of the rows, from 1, by their primary keys; 8 bytes a row."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._found: dict[type[models.Model], array[int]] = {}

    def of(self, model: type[models.Model]) -> array[int]:
        """The primary keys of the archived rows of a model, in order; one query."""
        if model not in self._found:
            table = table_of(model)
            assert table is not None  # noqa: S101 tables refer to tables: see test_tables.py
            rows = table.rows(self._campaign).values_list("pk", flat=True)
            self._found[model] = array("q", rows.iterator(chunk_size=CHUNK))
        return self._found[model]

    def number(self, model: type[models.Model], pk: int) -> int | None:
        """The number of a row; None if it is not in the archive."""
        there = self.of(model)
        place = bisect_left(there, pk)
        return place + 1 if place < len(there) and there[place] == pk else None

    def up_to(self, model: type[models.Model], pk: int) -> int:
        """How many rows have this primary key or a smaller one."""
        return bisect_right(self.of(model), pk)

    def first_from(self, model: type[models.Model], pk: int) -> int:
        """The number of the first row with this primary key or a greater one."""
        return bisect_left(self.of(model), pk) + 1


class ArchivedRows:
    """Reads the tables of one campaign; `resources` are those named by what was read so far."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._numbers = Numbers(campaign)
        self._token, self.resources = writer_of(campaign)
        self._people: dict[int, str] = {}

    def total(self) -> int:
        """How many rows all tables have together; a query for each."""
        return sum(table.rows(self._campaign).count() for table in TABLES)

    def rows(self, table: ArchiveTable) -> Iterator[Cells]:
        """The rows of a table, in order; one query, and what it refers to is read once."""
        changes = [(at, change) for at, name in enumerate(table.columns)
                   if (change := self._change(table, name)) is not None]  # fmt: skip
        rewrite = self._rewriting(table)
        names = [table.field_of(name).attname for name in table.columns]
        for row in table.rows(self._campaign).values_list(*names).iterator(chunk_size=CHUNK):
            cells = list(row)
            if rewrite is not None:
                rewrite(cells)
            for at, change in changes:
                if cells[at] is not None:
                    cells[at] = change(cells[at])
            yield cells

    def _change(self, table: ArchiveTable, name: str) -> Callable[[Any], Any] | None:
        if name in table.tokens:
            return lambda value: changed_texts(value, self._token)
        target = table.target(name)
        if target is not None and name not in table.special:
            return lambda pk: self._numbers.number(target, pk)
        return written(table.field_of(name))

    def _rewriting(self, table: ArchiveTable) -> Callable[[Cells], None] | None:
        """What changes the raw cells of the special columns of a table."""
        make = _REWRITES.get(table.model)
        at = {name: place for place, name in enumerate(table.columns)}
        return None if make is None else make(self, at)

    # --- special columns --------------------------------------------------------------------

    def _run(self, at: dict[str, int]) -> Callable[[Cells], None]:
        """Work that is not over ends here; the greatest ids of its time become numbers."""
        marks = {"last_substitution": Substitution, "last_reference": Reference,
                 "last_output": Output}  # fmt: skip

        def rewrite(cells: Cells) -> None:
            if cells[at["status"]] in Run.ACTIVE:
                cells[at["status"]] = Run.Status.CANCELLED.value
                cells[at["finished_at"]] = cells[at["started_at"]] or cells[at["created_at"]]
            for name, model in marks.items():
                if cells[at[name]] is not None:
                    cells[at[name]] = self._numbers.up_to(model, cells[at[name]])

        return rewrite

    def _chunk(self, at: dict[str, int]) -> Callable[[Cells], None]:
        def rewrite(cells: Cells) -> None:
            if cells[at["status"]] in (RunChunk.Status.QUEUED, RunChunk.Status.RUNNING):
                cells[at["status"]] = RunChunk.Status.CANCELLED.value
            cells[at["first_item"]] = self._numbers.first_from(Item, cells[at["first_item"]])
            cells[at["last_item"]] = self._numbers.up_to(Item, cells[at["last_item"]])

        return rewrite

    def _report(self, at: dict[str, int]) -> Callable[[Cells], None]:
        """A choice of imports names them by their primary keys."""

        def rewrite(cells: Cells) -> None:
            options = cells[at["options"]]
            if "batches" in options:
                found = (self._numbers.number(ImportBatch, int(pk)) for pk in options["batches"])
                cells[at["options"]] = {**options, "batches": [str(one or 0) for one in found]}

        return rewrite

    def _look(self, at: dict[str, int]) -> Callable[[Cells], None]:
        now = judgments_state(campaign=self._campaign)

        def rewrite(cells: Cells) -> None:
            if cells[at["state"]] == now:
                cells[at["state"]] = NOW

        return rewrite

    def _entry(self, at: dict[str, int]) -> Callable[[Cells], None]:
        """Who it was by a code, and what it was about by its number."""
        voices = Annotator.objects.filter(campaign=self._campaign, user__isnull=False)
        self._people = dict(voices.values_list("user_id", "code"))
        by_name = {table.name: table.model for table in TABLES}

        def rewrite(cells: Cells) -> None:
            pk, data = cells[at["actor"]], cells[at["data"]]
            if ACTOR in data:
                cells[at["data"]] = {name: data[name] for name in data if name != ACTOR}
            cells[at["actor"]] = self._person(pk) if pk is not None else data.get(ACTOR, "")
            about, model = cells[at["object_id"]], by_name.get(cells[at["object_type"]])
            number = None
            if model is not None and about.isdecimal():
                number = self._numbers.number(model, int(about))
            cells[at["object_id"]] = "" if number is None else str(number)

        return rewrite

    def _person(self, pk: int) -> str:
        if pk not in self._people:
            known = sum(code.startswith("person ") for code in self._people.values())
            self._people[pk] = f"person {known + 1}"
        return self._people[pk]


_REWRITES: dict[type[models.Model], Callable[..., Callable[[Cells], None]]] = {
    Run: ArchivedRows._run,
    RunChunk: ArchivedRows._chunk,
    Report: ArchivedRows._report,
    Look: ArchivedRows._look,
    AuditEntry: ArchivedRows._entry,
}

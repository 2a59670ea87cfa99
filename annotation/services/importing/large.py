"""Imports of large files in constant memory: whole or nothing, and safe to repeat.

The file is read once. Each part of it is compared with the campaign as it is read, what earlier
rows said is looked up on disk, and what is new waits there too. Only if nothing is wrong is it
written: on PostgreSQL in one transaction; on SQLite, which has one writer, in parts (`whole.py`),
so that annotators can keep saving. An import that was interrupted between two parts goes on after
them when it is repeated, and keeps its batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeVar

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import Conflict
from annotation.importers import Problem, ProblemLog
from annotation.models import Campaign, ImportBatch
from annotation.services.audit import Actor
from annotation.services.importing.report import (
    ImportReport,
    TextChange,
    batch_make,
    digest_of,
    errors_first,
    pieces,
)
from annotation.services.importing.tables.sources import FileSource, source_of
from annotation.services.importing.whole import made_before, whole_write
from annotation.services.transactions import short_write

ROWS = 2000  # read, compared and written together
T = TypeVar("T")
Counts = Counter[str]


def _unheard(n: int) -> None:
    """Report to nobody."""


@dataclass(slots=True)
class LargeImport:
    """One large file and its campaign.

    `checked` and `written` are called with how many rows of the file are; `batch` is that of an
    interrupted try, and `made` is called with a new one, in the same transaction.
    """

    campaign: Campaign
    stream: BinaryIO
    name: str
    actor: Actor
    format: str | None = None
    raw: bool = False
    dry_run: bool = False
    checked: Callable[[int], None] = _unheard
    written: Callable[[int], None] = _unheard
    batch: ImportBatch | None = None
    made: Callable[[ImportBatch], None] = lambda batch: None
    mapping: Mapping[str, Any] | None = None
    provenance: Mapping[str, Any] | None = None  # How the file was made, if it was made here.

    def source(self, what: str) -> FileSource:
        """What the rows are read from."""
        return source_of(self.stream, self.name, what, self.mapping, self.format)

    def rows(self, found: Iterable[T]) -> Iterator[list[T]]:
        """Yield the rows in parts, and report them."""
        n = 0
        for part in pieces(found, ROWS):
            yield part
            n += len(part)
            self.checked(n)

    def write(
        self,
        what: str,
        parts: Iterable[T],
        *,
        rows: int,
        planned: Counts,
        whole: bool,
        prepare: Callable[[T], Any],
        store: Callable[[ImportBatch, Any], Counts],
        pk: int | None = None,
    ) -> ImportBatch:
        """Write the parts; the record of the file says at any time how much of it is stored.

        `prepare` reads and computes outside of the part's transaction, and `store` writes in it.
        `pk` is a reserved id of the record.
        """
        digest = digest_of(self.stream)
        prepared = made_before(((part, prepare(part)) for part in parts), whole)
        try:
            with whole_write(whole):
                batch = self.batch
                for part, ready in prepared:
                    with short_write():
                        if batch is None:
                            batch = self._begin(what, rows, planned, digest, pk)
                        batch.counts = Counter(batch.counts) + store(batch, ready)
                        batch.save(update_fields=["counts"])
                    self.written(len(part) if isinstance(part, list) else 0)
                if batch is None:
                    raise ValueError("an import that adds nothing was to be written")
                batch.counts = {name: batch.counts.get(name, 0) for name in planned}
                batch.save(update_fields=["counts"])
        except IntegrityError as error:
            raise Conflict(
                _(
                    "Another import wrote to this campaign at the same time. Import the file "
                    "again: what is there already is skipped."
                )
            ) from error
        return batch

    def _begin(
        self, what: str, rows: int, planned: Counts, digest: str, pk: int | None
    ) -> ImportBatch:
        mapped = {} if self.mapping is None else {"map": dict(self.mapping)}
        batch = batch_make(
            campaign=self.campaign, what=what, name=self.name, sha256=digest, rows=rows,
            counts=dict(planned), actor=self.actor,
            provenance={**(self.provenance or {}), **mapped}, pk=pk,
        )  # fmt: skip
        batch.counts = {}
        self.made(batch)
        return batch

    def report(
        self,
        problems: Sequence[Problem],
        rows: int,
        counts: Counts,
        batch: ImportBatch | None,
        changes: Sequence[TextChange] = (),
    ) -> ImportReport:
        found = dict(counts) if batch is None else dict(batch.counts)
        told = tuple(changes) if self.dry_run else ()
        return ImportReport(errors_first(problems), rows, found, self.dry_run, batch, told)


def note(problems: Iterable[Problem], log: ProblemLog) -> None:
    for problem in problems:
        add = log.error if problem.severity == "error" else log.warn
        add(problem.line, problem.message, problem.column)


def in_order(*logs: ProblemLog) -> list[Problem]:
    return sorted((one for log in logs for one in log.problems()), key=lambda one: one.line)

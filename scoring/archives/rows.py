"""Cells of an archive: what the database holds, as JSON, and back with every doubt."""

from __future__ import annotations

import math
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotation.access import User, logged_in, usable_in
from annotation.errors import NotFound
from annotation.models import (
    Annotator,
    AuditEntry,
    Campaign,
    ImportBatch,
    Item,
    Output,
    Reference,
    Substitution,
    Visibility,
)
from paraanno.common.texts import SentenceError, say
from scoring.archives.tables import TABLES, ArchiveTable, table_of
from scoring.models import ExportFile, Look, Report, Resource, RestoreJob, Run, RunChunk
from scoring.ratings.choice import judgments_state

Check = Callable[[Any], Any]
INTEGERS = {
    "SmallIntegerField": (-(2**15), 2**15 - 1),
    "PositiveSmallIntegerField": (0, 2**15 - 1),
    "IntegerField": (-(2**31), 2**31 - 1),
    "PositiveIntegerField": (0, 2**31 - 1),
    "BigIntegerField": (-(2**63), 2**63 - 1),
    "PositiveBigIntegerField": (0, 2**63 - 1),
}
DEEPEST = 60  # Levels of a JSON value.


class BadCell(SentenceError):
    """A cell that no archive of ours has."""


def written(field: models.Field[Any, Any]) -> Check | None:
    """What turns a value of the database into a cell; None where it is one already."""
    if isinstance(field, models.DateTimeField):
        return _moment
    if isinstance(field, models.DateField):
        return date.isoformat
    return str if isinstance(field, models.DecimalField) else None


def _moment(value: datetime) -> str:
    return value.astimezone(UTC).isoformat()


def readers(table: ArchiveTable, columns: tuple[str, ...]) -> list[Check]:
    """What reads each column: it returns the value, or raises BadCell. Foreign keys and special
    columns are read by others, who know the rows."""
    return [_reader(table.field_of(column)) for column in columns]


def _reader(field: models.Field[Any, Any]) -> Check:
    check = _of_type(field)
    if field.choices and isinstance(field, models.CharField):
        values = {value for value, _ in field.flatchoices}
        check = _one_of(values | {""} if field.blank else values)
    if not field.null:
        return check

    def or_none(cell: Any) -> Any:
        return None if cell is None else check(cell)

    return or_none


def _of_type(field: models.Field[Any, Any]) -> Check:
    kind = field.get_internal_type()
    if kind in INTEGERS:
        return _whole(*INTEGERS[kind])
    if isinstance(field, models.FloatField):
        return _number
    if isinstance(field, models.BooleanField):
        return _flag
    if isinstance(field, models.DateTimeField):
        return _time
    if isinstance(field, models.DateField):
        return _day
    if isinstance(field, models.DecimalField):
        return _amount(10 ** (field.max_digits - field.decimal_places), field.decimal_places)
    if isinstance(field, models.JSONField):
        return _json
    if isinstance(field, models.CharField | models.TextField):
        return _text(field.max_length)
    raise TypeError(f"{field}: archives have no cells of the type {kind}")


def _whole(least: int, most: int) -> Check:
    def check(cell: Any) -> int:
        if type(cell) is not int or not least <= cell <= most:
            raise BadCell(say("%(cell)s is no whole number that fits", cell=_shown(cell)))
        return cell

    return check


def _number(cell: Any) -> float:
    if type(cell) not in (int, float) or not math.isfinite(cell):
        raise BadCell(say("%(cell)s is no number", cell=_shown(cell)))
    return float(cell)


def _amount(below: int, places: int) -> Check:
    """An amount as text, with exactly so many decimal places: databases write them alike."""

    def check(cell: Any) -> Decimal:
        if type(cell) is str and re.fullmatch(rf"[0-9]{{1,12}}\.[0-9]{{{places}}}", cell):
            amount = Decimal(cell)
            if amount < below:
                return amount
        raise BadCell(say("%(cell)s is no amount", cell=_shown(cell)))

    return check


def _flag(cell: Any) -> bool:
    if type(cell) is not bool:
        raise BadCell(say("%(cell)s is neither true nor false", cell=_shown(cell)))
    return cell


def _time(cell: Any) -> datetime:
    try:
        time = datetime.fromisoformat(cell)
        if time.tzinfo is not None:
            return time.astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        pass
    raise BadCell(say("%(cell)s is no time with its zone", cell=_shown(cell)))


def _day(cell: Any) -> date:
    try:
        return date.fromisoformat(cell)
    except (TypeError, ValueError) as error:
        raise BadCell(say("%(cell)s is no date", cell=_shown(cell))) from error


def _text(most: int | None) -> Check:
    def check(cell: Any) -> str:
        if type(cell) is not str:
            raise BadCell(say("%(cell)s is no text", cell=_shown(cell)))
        if most is not None and len(cell) > most:
            raise BadCell(say("a text is longer than %(most)s characters", most=most))
        return sound(cell)

    return check


def sound(text: str) -> str:
    """The text. Raises BadCell for what no database keeps: NUL and halves of characters."""
    if "\0" in text or (not text.isascii() and any("\ud800" <= one <= "\udfff" for one in text)):
        raise BadCell(say("a text holds a character that cannot be stored"))
    return text


def _one_of(values: set[Any]) -> Check:
    def check(cell: Any) -> str:
        if type(cell) is not str or cell not in values:
            raise BadCell(say("%(cell)s is not one of the known values", cell=_shown(cell)))
        return cell

    return check


def _json(cell: Any, depth: int = 0) -> Any:
    if depth > DEEPEST:
        raise BadCell(say("a value is nested too deeply"))
    if isinstance(cell, str):
        return sound(cell)
    if isinstance(cell, float) and not math.isfinite(cell):
        raise BadCell(say("%(cell)s is no number", cell=_shown(cell)))
    if isinstance(cell, int) and abs(cell) > 2**63:
        raise BadCell(say("%(cell)s is no whole number that fits", cell=_shown(cell)))
    if isinstance(cell, dict):
        for name, value in cell.items():
            sound(name)
            _json(value, depth + 1)
    elif isinstance(cell, list):
        for value in cell:
            _json(value, depth + 1)
    return cell


def _shown(cell: Any) -> str:
    text = ascii(cell)
    return text if len(text) <= 60 else f"{text[:60]}..."


# Ids inside JSON: in an archive a token, because keys of rows are made anew on restore.
#
#     @key:run:3                     the third row of the table `run`     @resource:vectors:SHA256
# a file of the site, by its kind and content     @@...                          a text that begins
# with @
#
# Of a resource that the site lacks, or has for others alone, a restored row keeps
# `resource:KIND:SHA256`.


_KEY = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_RESOURCE = re.compile(r"resource:([a-z]{1,30}):([0-9a-f]{64})")
_TOKEN = re.compile(r"@key:([a-z]{1,40}):([1-9][0-9]{0,9})")
# Of these there are as many as judgments, and no JSON names them.
UNNAMED = {"sheet", "slot"}
KEYED = tuple(one for one in TABLES if "key" in one.left and one.name not in UNNAMED)


def changed_texts(value: Any, change: Callable[[str], str]) -> Any:
    """A JSON value with `change` applied to each of its texts, not to the names of objects."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {name: changed_texts(one, change) for name, one in value.items()}
    if isinstance(value, list):
        return [changed_texts(one, change) for one in value]
    return value


def writer_of(campaign: Campaign) -> tuple[Callable[[str], str], list[dict[str, object]]]:
    """What turns a text into its token, and a list of the resources that it met."""
    tokens: dict[str, str] = {}
    resources: list[dict[str, object]] = []
    met: dict[str, str] = {}

    def load() -> None:
        for table in KEYED:
            for number, key in enumerate(table.rows(campaign).values_list("key", flat=True), 1):
                tokens[str(key)] = f"@key:{table.name}:{number}"

    def change(text: str) -> str:
        if text.startswith("@"):
            return f"@{text}"
        if _RESOURCE.fullmatch(text):
            return f"@{text}"
        if not _KEY.fullmatch(text):
            return text
        if not tokens:
            load()
        return tokens.get(text) or met.get(text) or _resource(campaign, text, met, resources)

    return change, resources


def _resource(
    campaign: Campaign, text: str, met: dict[str, str], resources: list[dict[str, object]]
) -> str:
    # The JSON may be a stranger's, who names what is not of this campaign.
    started = Run.objects.filter(campaign=campaign, created_by__isnull=False)
    users = started.order_by().values_list("created_by", flat=True).distinct()
    usable = Resource.objects.filter(usable_in(campaign=campaign, users=users))
    resource = usable.filter(key=UUID(text)).first()
    met[text] = text
    if resource is not None:
        met[text] = f"@resource:{resource.kind}:{resource.sha256}"
        resources.append(
            {
                "kind": resource.kind,
                "sha256": resource.sha256,
                "name": resource.name,
                "file_name": resource.file_name,
                "size": resource.size,
            }
        )
    return met[text]


def reader_of(
    keys: Mapping[str, Sequence[UUID]], user_id: int | None = None
) -> Callable[[str], str]:
    """The inverse: `keys` are those of the new rows, by table; resources are the site's, or those
    of the user who restores."""
    shared = Q(scope=Visibility.SITE)
    personal = Q(scope=Visibility.MINE, created_by=user_id) if user_id is not None else Q(pk__in=[])
    ready = Resource.objects.filter(shared | personal, status=Resource.Status.READY)
    resources = {
        f"resource:{kind}:{digest}": str(key)
        for kind, digest, key in ready.order_by("scope").values_list("kind", "sha256", "key")
    }

    def change(text: str) -> str:
        if not text.startswith("@"):
            return text
        if match := _TOKEN.fullmatch(text):
            rows = keys.get(match[1], ())
            number = int(match[2])
            return str(rows[number - 1]) if number <= len(rows) else text
        return resources.get(text[1:], text[1:])

    return change


# The rows of a campaign as an archive has them.
#
# Callers have checked the user's access to the campaign (annotation/access.py), and hold a snapshot
# of the database where others may be writing.


CHUNK = 2000
NOW = "now"  # The state of the judgments as they are archived, in a look.
ACTOR = "archived_actor"  # Where a restored entry of the log keeps who it was.
Cells = list[Any]


class Numbers:
    """The numbers of the rows, from 1, by their primary keys; 8 bytes a row."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._stored_keys: dict[type[models.Model], array[int]] = {}

    def of(self, model: type[models.Model]) -> array[int]:
        """The primary keys of the archived rows of a model, in order; one query."""
        if model not in self._stored_keys:
            table = table_of(model)
            assert table is not None  # noqa: S101 tables refer to tables: see test_tables.py
            rows = table.rows(self._campaign).values_list("pk", flat=True)
            self._stored_keys[model] = array("q", rows.iterator(chunk_size=CHUNK))
        return self._stored_keys[model]

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
        changes = [
            (at, change)
            for at, name in enumerate(table.columns)
            if (change := self._change(table, name)) is not None
        ]
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
        marks = {
            "last_substitution": Substitution,
            "last_reference": Reference,
            "last_output": Output,
        }

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
                numbers = (self._numbers.number(ImportBatch, int(pk)) for pk in options["batches"])
                cells[at["options"]] = {**options, "batches": [str(one or 0) for one in numbers]}

        return rewrite

    def _look(self, at: dict[str, int]) -> Callable[[Cells], None]:
        now = judgments_state(campaign=self._campaign)

        def rewrite(cells: Cells) -> None:
            if cells[at["state"]] == now:
                cells[at["state"]] = NOW

        return rewrite

    def _entry(self, at: dict[str, int]) -> Callable[[Cells], None]:
        """Who it was by a code, and what it was about by its number."""
        annotators = Annotator.objects.filter(campaign=self._campaign, user__isnull=False)
        self._people = dict(annotators.values_list("user_id", "code"))
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
            count = sum(code.startswith("person ") for code in self._people.values())
            self._people[pk] = f"person {count + 1}"
        return self._people[pk]


_REWRITES: dict[type[models.Model], Callable[..., Callable[[Cells], None]]] = {
    Run: ArchivedRows._run,
    RunChunk: ArchivedRows._chunk,
    Report: ArchivedRows._report,
    Look: ArchivedRows._look,
    AuditEntry: ArchivedRows._entry,
}


# Archives and packages that workers made, and the archives somebody has restored.


# Files about everybody and everything: not for all who read a campaign.


def whole_files(*, campaign: Campaign, what: str = "") -> QuerySet[ExportFile]:
    """The archives and packages of a campaign, newest first; one query."""
    kinds = [what] if what else list(ExportFile.WHOLE)
    return ExportFile.objects.filter(campaign=campaign, what__in=kinds).order_by("-pk")


def whole_get(*, campaign: Campaign, key: UUID) -> ExportFile:
    """One of them. Raises NotFound."""
    file = whole_files(campaign=campaign).filter(key=key).first()
    if file is None:
        raise NotFound(_("There is no such file."))
    return file


def restore_jobs(*, user: User) -> QuerySet[RestoreJob]:
    """The user's own, newest first."""
    rows = RestoreJob.objects.select_related("campaign").order_by("-pk")
    return rows.filter(created_by=logged_in(user))


def restore_job_get(*, user: User, key: UUID) -> RestoreJob:
    """One of these. Raises NotFound."""
    job = restore_jobs(user=user).filter(key=key).first()
    if job is None:
        raise NotFound(_("There is no such restore."))
    return job

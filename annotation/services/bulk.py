"""Bulk inserts, several times faster than building model instances.

Ids are reserved before the rows are built, so that rows can refer to each other before any of them
is written. What others wait for is made ready before the transaction. The caller holds the
transaction in which rows are written. The database checks its constraints as usual.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.db import connection, models, transaction

from annotation.services.transactions import short_write

Row = tuple[Any, ...]
_MANY = 1000  # rows of one table


def reserve_ids(model: type[models.Model], count: int) -> range | list[int]:
    """Return `count` unused primary keys of the model, which nobody else gets."""
    if count == 0:
        return []
    table = model._meta.db_table
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
                [connection.ops.quote_name(table), count],
            )
            return [number for (number,) in cursor.fetchall()]
    with short_write(), connection.cursor() as cursor:
        # A table has no row there before its first row.
        cursor.execute(
            "INSERT INTO sqlite_sequence (name, seq) SELECT %s, 0 WHERE NOT EXISTS"
            " (SELECT 1 FROM sqlite_sequence WHERE name = %s)",
            [table, table],
        )
        cursor.execute("UPDATE sqlite_sequence SET seq = seq + %s WHERE name = %s", [count, table])
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        (last,) = cursor.fetchone()
    return range(last - count + 1, last + 1)


@dataclass(frozen=True, slots=True)
class ReadyRows:
    """Rows with values as the database takes them."""

    model: type[models.Model]
    columns: Sequence[str]
    rows: list[Sequence[Any]]


def bulk_ready(
    model: type[models.Model], columns: Sequence[str], rows: Iterable[Row]
) -> ReadyRows:  # fmt: skip
    """Make rows ready for `bulk_write`; see `bulk_insert`."""
    return ReadyRows(model, columns, list(_converted(model, columns, rows)))


def bulk_write(ready: ReadyRows) -> None:
    """Insert rows that were made ready."""
    _write(ready.model, ready.columns, ready.rows)


def bulk_insert(model: type[models.Model], columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Insert the rows; `columns` are attribute names (foreign keys as `item_id`).

    Include every column without a database default: model defaults are not applied.
    """
    _write(model, columns, _converted(model, columns, rows))


def tidy_after_commit(*written: type[models.Model]) -> None:
    """Have PostgreSQL count the rows of tables that grew by many, and note which pages everybody
    sees whole. Until it has, which is a minute later or, without autovacuum, never, it plans as if
    there were no new rows and looks each of them up to count it: a claim among 40,000 new slots
    sorted them all, and pages of a million judgments took seconds."""
    if connection.vendor != "postgresql":
        return
    for model in written:
        tidying = _tidying(model)
        if all(tidying is not what for _, what, *_ in connection.run_on_commit):
            # What was written stands, whether the table can be tidied now or not.
            transaction.on_commit(tidying, robust=True)


@cache
def _tidying(model: type[models.Model]) -> Callable[[], None]:
    """The same function each time, so that one transaction has it once."""

    def tidy() -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"VACUUM (ANALYZE) {connection.ops.quote_name(model._meta.db_table)}")

    return tidy


def _converted(
    model: type[models.Model], columns: Sequence[str], rows: Iterable[Row]
) -> Iterator[Sequence[Any]]:
    converters = [
        (place, converter)
        for place, name in enumerate(columns)
        if (converter := _converter(_field(model, name))) is not None
    ]
    return (_convert(row, converters) for row in rows)


def _write(
    model: type[models.Model], columns: Sequence[str], ready: Iterable[Sequence[Any]]
) -> None:
    quoted = (connection.ops.quote_name(_field(model, name).column) for name in columns)
    names = ", ".join(quoted)
    table = connection.ops.quote_name(model._meta.db_table)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor, connection.wrap_database_errors:
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in ready:
                    copy.write_row(row)
            if cursor.rowcount >= _MANY:
                tidy_after_commit(model)
        return
    marks = ", ".join(["%s"] * len(columns))
    with connection.cursor() as cursor:
        statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 our own names
        cursor.executemany(statement, ready)  # type: ignore[arg-type]  # any iterable will do


def _field(model: type[models.Model], name: str) -> Any:
    return next(field for field in model._meta.concrete_fields if field.attname == name)


def _convert(row: Row, converters: Sequence[tuple[int, Callable[[Any], Any]]]) -> Sequence[Any]:
    if not converters:
        return row
    cells = list(row)
    for place, converter in converters:
        if cells[place] is not None:
            cells[place] = converter(cells[place])
    return cells


def _converter(field: models.Field[Any, Any]) -> Callable[[Any], Any] | None:
    """Return the function that prepares a value of the field for the database; None if none is
    needed.
    """
    if isinstance(field, models.JSONField):
        return _json
    if connection.vendor == "postgresql":
        return None
    if isinstance(field, models.UUIDField):
        return _hexadecimal
    if isinstance(field, models.DateTimeField):
        return _utc_text
    return None


def _json(value: Any) -> str:
    return "{}" if value == {} else json.dumps(value, ensure_ascii=False)


def _hexadecimal(value: uuid.UUID) -> str:
    return value.hex


def _utc_text(value: datetime) -> str:
    return str(value.astimezone(UTC).replace(tzinfo=None))

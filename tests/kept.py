"""Rows that many tests begin with: services make them, and later tests get them written again,
which takes a tenth of the time.

They are copied between two tests, where nothing is patched, and written only into a database that
is as empty as it was then, inside the transaction of a test. Elsewhere the services run.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.apps import apps
from django.db import connection, transaction
from django.db.models import DateTimeField
from django.utils import timezone

# By migrations. What is copied names rows of theirs, which are others after a test of transactions.
# And by triggers, when the rows are written that they count.
FILLED = {"annotation_webhost", "annotation_tally", "auth_permission", "django_content_type"}


@dataclass(frozen=True)
class Rows:
    """Those of a table, and in which columns they have points in time."""

    statement: str
    rows: list[list[Any]]
    moments: list[int]

    def write(self, passed):
        adapt = connection.ops.adapt_datetimefield_value
        rows = [[*row] for row in self.rows]
        for row in rows:
            for at in self.moments:
                row[at] = row[at] and adapt(row[at] + passed)
        with connection.cursor() as cursor:
            cursor.executemany(self.statement, rows)


@dataclass(frozen=True)
class Copy:
    """What was written into an empty database, and the key of what was asked for."""

    filled: int
    made: datetime
    key: int
    tables: list[Rows]


_unblock = None
_asked = {}
_wanted = {}
_copies = {}


def begin(unblock):
    """There is a database, which is used within `unblock()`."""
    global _unblock
    _unblock = unblock


def made(what, make):
    """The primary key that `make` answers; `what` names all that this depends on."""
    copy = _copies.get(what)
    if copy is not None and connection.in_atomic_block and _filled() == copy.filled:
        passed = timezone.now() - copy.made
        for table in copy.tables:
            table.write(passed)
        return copy.key
    _asked[what] = _asked.get(what, 0) + 1
    # Where this process has no database of its own, the rows are those of a live site.
    if copy is None and _asked[what] > 1 and _unblock is not None:
        _wanted[what] = make
    return make()


def copy_wanted():
    """Between two tests: copy what was asked for twice."""
    while _wanted:
        what, make = _wanted.popitem()
        with _unblock(), transaction.atomic():
            if (filled := _filled()) is not None:
                key, now = make(), timezone.now()
                tables = [one for one in map(_rows, _models()) if one.rows]
                _copies[what] = Copy(filled, now, key, tables)
            transaction.set_rollback(True)


def _rows(model):
    fields, quote = model._meta.concrete_fields, connection.ops.quote_name
    table = quote(model._meta.db_table)
    columns = ", ".join(quote(field.column) for field in fields)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns} FROM {table} ORDER BY {quote(model._meta.pk.column)}")
        rows = [[*row] for row in cursor.fetchall()]
    moments = [at for at, field in enumerate(fields) if isinstance(field, DateTimeField)]
    for row in rows:
        for at in moments:
            if row[at] is not None and row[at].tzinfo is None:  # SQLite
                row[at] = row[at].replace(tzinfo=UTC)
    marks = ", ".join(["%s"] * len(fields))
    return Rows(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows, moments)


def _models():
    every = apps.get_models(include_auto_created=True)
    return [one for one in every if one._meta.managed and one._meta.db_table not in FILLED]


def _filled():
    """The last permission, where the other tables are empty."""
    tables = (connection.ops.quote_name(one._meta.db_table) for one in _models())
    rows = " OR ".join(f"EXISTS (SELECT 1 FROM {table})" for table in tables)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT (SELECT MAX(id) FROM auth_permission) WHERE NOT ({rows})")
        found = cursor.fetchone()
    return found and found[0]

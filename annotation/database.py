"""Short write transactions."""

from __future__ import annotations

import base64
import hashlib
import json
import socket
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db import connection, models, transaction
from django.db.models import IntegerField, Model, Subquery
from django.db.models.functions import Now

from annotation.models import Annotator, AuditEntry, Campaign, WebHost
from paraanno.env import storage_id

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet


M = TypeVar("M", bound=Model)

_queue = threading.RLock()


@contextmanager
def short_write() -> Iterator[None]:
    """Open one short transaction; do no file reading, computing or streaming inside it.

    SQLite has a single writer, and its busy handler sleeps up to 100 ms between tries. Threads of
    one process therefore queue on a lock here, where the next one continues immediately. Other
    processes still wait in the busy handler.
    """
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with _queue, transaction.atomic():
            yield
    else:
        with transaction.atomic():
            yield


def lock_row(model: type[M], pk: int, *, key: bool = False) -> M:
    """Lock a row until the transaction ends, and return it as it now is.

    With its `key` locked, rows that refer to it cannot be added meanwhile either. Who locks an
    annotator keeps them from claiming and handing in. On SQLite the transaction itself is the lock.
    """
    return model._default_manager.select_for_update(no_key=not key).get(pk=pk)


# Bulk inserts, several times faster than building model instances.
#
# Ids are reserved before the rows are built, so that rows can refer to each other before any of
# them is written. What others wait for is made ready before the transaction. The caller holds the
# transaction in which rows are written. The database checks its constraints as usual.


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


def bulk_ready(model: type[models.Model], columns: Sequence[str], rows: Iterable[Row]) -> ReadyRows:
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


# Numbers of rows as columns of a query.


class RowCount(Subquery):
    """How many rows a queryset finds.

    Databases count the rows between two places of an index two to five times as fast as they group
    them or aggregate a column of them.
    """

    template = "(SELECT COUNT(*) FROM (%(subquery)s) counted)"
    output_field = IntegerField()
    empty_result_set_value = 0


# The audit log.


Actor = AbstractBaseUser | AnonymousUser | None


def audit(
    *, actor: Actor, verb: str, about: Model, campaign: Campaign | None, **data: Any
) -> AuditEntry:
    """Add an audit entry. Call it inside the transaction of the change, so that both are rolled
    back together.
    """
    return AuditEntry.objects.create(
        campaign=campaign,
        actor_id=actor.pk if actor is not None else None,
        verb=verb,
        object_type=about._meta.model_name or "",
        object_id=str(about.pk or ""),
        person_id=about.pk if isinstance(about, User) else None,
        about=_code(about),
        data=data,
    )


def _code(about: Model) -> str:
    """The code of the annotator whom it is about, or ""."""
    annotator = about if isinstance(about, Annotator) else getattr(about, "annotator", None)
    return annotator.code if isinstance(annotator, Annotator) else ""


# Record which hosts serve pages, and from which data folder.


FORGET_AFTER = timedelta(days=7)


def shares_files() -> bool:
    """Whether the web server that was seen last has this process's data folder; True if none."""
    newest = WebHost.objects.order_by("-seen_at").first()
    return newest is None or newest.storage == storage_id()


def web_host_seen() -> None:
    """Write this host's row; it fails if the database cannot be written."""
    columns = {"storage": storage_id(), "seen_at": Now()}
    with short_write():
        WebHost.objects.update_or_create(name=socket.gethostname()[:100], defaults=columns)
        WebHost.objects.filter(seen_at__lt=Now() - FORGET_AFTER).delete()


# Encryption of what the database keeps secret, with the site's key.
#
# A copy of the database alone opens nothing. What an earlier key sealed can be read.


def sealed(text: str, *, what: str) -> str:
    """Return the text encrypted; `what` it is, as one kind of secret cannot stand for another."""
    return str(_box(what).encrypt(text.encode()).decode())


def opened(secret: str, *, what: str) -> str | None:
    """Return the text; None if the key that sealed it is lost."""
    from cryptography.fernet import InvalidToken

    try:
        return str(_box(what).decrypt(secret.encode()).decode())
    except InvalidToken:
        return None


def _box(what: str) -> MultiFernet:
    from cryptography.fernet import Fernet, MultiFernet

    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [hashlib.sha256(f"{what}:{key}".encode()).digest() for key in keys]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])

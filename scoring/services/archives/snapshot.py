"""One state of the database while it is read for longer, without keeping writers out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from django.db import connection, transaction

from paraanno.plain.progress import relayed


@contextmanager
def snapshot() -> Iterator[None]:
    """Read one state of the database; write nothing inside.

    A transaction of Django takes the write lock on SQLite (IMMEDIATE), and annotators could not
    save meanwhile; a deferred one that only reads takes none. Within a transaction of the caller
    this is that one. What listens to progress is told in a thread, which has a connection of its
    own: it may write.
    """
    if connection.in_atomic_block:
        yield
        return
    with relayed(_apart):
        yield from _one_state()


def _one_state() -> Iterator[None]:
    if connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
    else:
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("ROLLBACK")


def _apart(tell: Callable[[], object]) -> None:
    """Call it in a thread, and raise what it raises."""

    def call() -> None:
        try:
            tell()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(call).result()

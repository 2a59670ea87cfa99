"""Short writes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

_queue = threading.RLock()


@contextmanager
def short_write() -> Iterator[None]:
    """One short transaction: nothing is read from files, computed or streamed inside.

    SQLite has one writer. Its busy handler sleeps up to 100 ms between tries, so threads of one
    process wait for each other here instead, where the next goes on at once; other processes
    still wait in the busy handler.
    """
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with _queue, transaction.atomic():
            yield
    else:
        with transaction.atomic():
            yield

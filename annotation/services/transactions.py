"""Short write transactions."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

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

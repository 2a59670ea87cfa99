"""Imports that are whole or not there at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import connection

from annotation.services.transactions import short_write

T = TypeVar("T")
# SQLite has one writer, and a hundred thousand judgments keep it busy for two seconds. A larger
# file is written in parts, so that annotators can keep saving; PostgreSQL lets them save anyway.
WHOLE_ON_SQLITE = 100_000


def is_whole(rows: int) -> bool:
    """Whether so many rows are written in one transaction, or part by part."""
    return connection.vendor == "postgresql" or rows <= WHOLE_ON_SQLITE


@contextmanager
def whole_write(whole: bool) -> Iterator[None]:
    """Make one transaction of the parts written inside if `whole`; else each stands by itself."""
    if whole:
        with short_write():
            yield
    else:
        yield


def made_before(parts: Iterable[T], whole: bool) -> Iterable[T]:
    """The parts of a `whole` import, all made by now on SQLite: annotators who save wait while it
    is written, and for nothing else. PostgreSQL lets them save, and takes any number of parts: they
    are made one after the other, as those of an import that is not whole."""
    return list(parts) if whole and connection.vendor == "sqlite" else parts

"""The one clock that several hosts agree on, the database's; and times in statements of our own."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.utils import timezone


def now() -> datetime:
    """Return the time by the database's clock, with its time zone.

    Claims, leases and the order of judgments must not depend on the clock of the host that happens
    to answer. On PostgreSQL this is one short query; SQLite has the clock of its only host.
    """
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        [value] = cursor.fetchone()
    at: datetime = value
    return at


def stored_time(at: datetime | None) -> Any:
    """Return the time as the database stores it."""
    return connection.ops.adapt_datetimefield_value(at)


def read_time(at: datetime | None) -> datetime | None:
    """Return a stored time with its zone: SQLite stores UTC without one."""
    return at if at is None or at.tzinfo is not None else at.replace(tzinfo=UTC)

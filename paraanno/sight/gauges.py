"""Figures that `/metrics` asks for when it is read: they are the same whichever process answers."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import connection
from django.utils import timezone

from paraanno import __version__, clock


@dataclass(frozen=True, slots=True)
class Gauge:
    """One figure: `rows` has a number for each combination of the labels' values."""

    name: str
    help: str
    rows: Sequence[tuple[tuple[str, ...], float]]
    labels: tuple[str, ...] = ()


def _site() -> Iterable[Gauge]:
    """What needs no database."""
    from paraanno.backups.nightly import backup_state

    yield Gauge("paraanno_info", "Always 1.", [((__version__, connection.vendor), 1)],
                ("version", "database"))  # fmt: skip
    usage = shutil.disk_usage(settings.DATA_DIR)
    yield Gauge("paraanno_disk_free_bytes", "Room in the data folder.", [((), usage.free)])
    yield Gauge("paraanno_disk_total_bytes", "Size of that disk.", [((), usage.total)])
    backup = backup_state()
    if backup["wanted"]:
        last = backup["last"]
        if last is not None:
            age = (timezone.now() - last).total_seconds()
            yield Gauge("paraanno_backup_age_seconds", "Since the last nightly backup was begun.",
                        [((), age)])  # fmt: skip
        late = [((), float(backup["late"]))]
        yield Gauge("paraanno_backup_late", "1: none of the last 26 hours.", late)


def _clock() -> Iterable[Gauge]:
    ahead = (timezone.now() - clock.now()).total_seconds()
    yield Gauge("paraanno_clock_ahead_seconds", "This host's clock minus the database's.",
                [((), ahead)])  # fmt: skip


# Functions that return figures; apps add theirs when they start. They may raise DatabaseError.
GAUGES: list[Callable[[], Iterable[Gauge]]] = [_site, _clock]

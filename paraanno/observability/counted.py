"""What web processes count for `/metrics`; nothing, and no import, while that is closed.

Labels are routes, codes and numbers of status: as many as the program has, and never a text or a
person. Each process counts in files of its own (`folder`), which a scrape of any of them adds up.
"""

from __future__ import annotations

import functools
import os
import shutil
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection
from django.utils import timezone

from paraanno import __version__, clock

if TYPE_CHECKING:
    from prometheus_client import Counter, Histogram


FOLDER = "PROMETHEUS_MULTIPROC_DIR"
SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


def is_open() -> bool:
    """Whether anybody may read `/metrics`."""
    return bool(settings.METRICS_TOKEN or settings.METRICS_NETWORKS)


def share(data_dir: Path, port: int) -> None:
    """Let the processes of this web server count together; call before any of them counts."""
    folder = data_dir / "metrics" / f"{socket.gethostname()}-{port}"
    shutil.rmtree(folder, ignore_errors=True)  # Counts begin at 0 with every start.
    folder.mkdir(parents=True)
    os.environ[FOLDER] = str(folder)


@functools.cache
def _requests() -> tuple[Counter, Histogram]:
    from prometheus_client import Counter, Histogram

    total = Counter(
        "paraanno_requests", "Requests answered.", ["method", "route", "status"], registry=None
    )
    seconds = Histogram(
        "paraanno_request_seconds",
        "Seconds until the answer began.",
        ["route"],
        buckets=SECONDS,
        registry=None,
    )
    return total, seconds


@functools.cache
def _saves() -> Counter:
    from prometheus_client import Counter

    return Counter("paraanno_saves", "Answers stored, each change anew.", registry=None)


@functools.cache
def _claims() -> Counter:
    from prometheus_client import Counter

    return Counter("paraanno_claims", "Sheets given to annotators.", registry=None)


@functools.cache
def _refusals() -> Counter:
    from prometheus_client import Counter

    return Counter("paraanno_refusals", "Refusals, by their code.", ["code"], registry=None)


def own() -> list[Counter | Histogram]:
    """What this process counts, where no folder is shared."""
    return [*_requests(), _saves(), _claims(), _refusals()]


def request_answered(*, method: str, route: str, status: int, seconds: float) -> None:
    if is_open():
        total, histogram = _requests()
        total.labels(method if method in METHODS else "other", route, str(status)).inc()
        histogram.labels(route).observe(seconds)


def answers_saved(number: int = 1) -> None:
    if is_open() and number:
        _saves().inc(number)


def sheet_claimed() -> None:
    if is_open():
        _claims().inc()


def refused(code: str) -> None:
    if is_open():
        _refusals().labels(code).inc()


# Figures that `/metrics` asks for when it is read: they are the same whichever process answers.


@dataclass(frozen=True, slots=True)
class Gauge:
    """One figure: `rows` has a number for each combination of the labels' values."""

    name: str
    help: str
    rows: Sequence[tuple[tuple[str, ...], float]]
    labels: tuple[str, ...] = ()


def _site() -> Iterable[Gauge]:
    """What needs no database."""
    from paraanno.backups.make import backup_state

    yield Gauge(
        "paraanno_info",
        "Always 1.",
        [((__version__, connection.vendor), 1)],
        ("version", "database"),
    )
    usage = shutil.disk_usage(settings.DATA_DIR)
    yield Gauge("paraanno_disk_free_bytes", "Room in the data folder.", [((), usage.free)])
    yield Gauge("paraanno_disk_total_bytes", "Size of that disk.", [((), usage.total)])
    backup = backup_state()
    if backup["wanted"]:
        last = backup["last"]
        if last is not None:
            age = (timezone.now() - last).total_seconds()
            yield Gauge(
                "paraanno_backup_age_seconds",
                "Since the last nightly backup was begun.",
                [((), age)],
            )
        late = [((), float(backup["late"]))]
        yield Gauge("paraanno_backup_late", "1: none of the last 26 hours.", late)


def _clock() -> Iterable[Gauge]:
    ahead = (timezone.now() - clock.now()).total_seconds()
    yield Gauge(
        "paraanno_clock_ahead_seconds", "This host's clock minus the database's.", [((), ahead)]
    )


# Functions that return figures; apps add theirs when they start. They may raise DatabaseError.
GAUGES: list[Callable[[], Iterable[Gauge]]] = [_site, _clock]

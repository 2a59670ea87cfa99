"""`/healthz` and `/readyz`, for load balancers and container engines."""

from __future__ import annotations

import functools
import os
import shutil
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from django.apps import apps
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.cache import caches
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu.exceptions import KombuError

from paraanno import __version__
from paraanno.backups.make import backup_state
from paraanno.celery import app


class PartState(TypedDict):
    """What one part of the site says; workers say when one was seen last, too."""

    ok: bool
    message: str
    seen_at: NotRequired[datetime | None]


Check = Callable[[], PartState]
PARTS: dict[str, Check] = {}
READINESS: dict[str, Check] = {}


def part(name: str) -> Callable[[Check], Check]:
    """Register the check of one part of the site, which returns at least `ok` and `message`.

    Apps add their own when they start.
    """

    def register(check: Check) -> Check:
        PARTS[name] = check
        return check

    return register


def readiness_part(name: str) -> Callable[[Check], Check]:
    """Register a check that only `/readyz` makes, because it writes or waits."""

    def register(check: Check) -> Check:
        READINESS[name] = check
        return check

    return register


@part("database")
def _database() -> PartState:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError) as error:
        return {"ok": False, "message": f"The database does not answer: {type(error).__name__}."}
    return {"ok": True, "message": ""}


@part("broker")
def _broker() -> PartState:
    if app.conf.broker_url.startswith("filesystem"):
        ok = os.access(settings.BROKER_DIR / "queue", os.R_OK | os.W_OK | os.X_OK)
        return {"ok": ok, "message": "" if ok else "The broker folder cannot be written."}
    try:
        with app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
    except (OSError, KombuError) as error:
        return {"ok": False, "message": f"The broker does not answer: {type(error).__name__}."}
    return {"ok": True, "message": ""}


@readiness_part("disk")
def _disk() -> PartState:
    folder = settings.DATA_DIR
    if not os.access(folder, os.W_OK | os.X_OK):
        return {"ok": False, "message": "The data folder cannot be written."}
    free = shutil.disk_usage(folder).free // 2**20
    ok = free >= settings.DISK_FREE_MB
    return {"ok": ok, "message": "" if ok else f"The data folder has only {free} MB left."}


@readiness_part("cache")
def _cache() -> PartState:
    # The memory of the process, instead of a server, always answers.
    answers = getattr(caches["default"], "answers", None)
    ok = answers is None or answers()
    message = "The cache does not answer: each process counts requests by itself."
    return {"ok": ok, "message": "" if ok else message}


@functools.cache
def _installed_migrations() -> set[tuple[str, str]]:
    """The migrations of the installed version, by their files: importing them takes seconds."""
    migrations = set()
    for app_config in apps.get_app_configs():
        for file in Path(app_config.path, "migrations").glob("[!_]*.py"):
            migrations.add((app_config.label, file.stem))
    return migrations


@readiness_part("migrations")
def _migrations() -> PartState:
    """Whether the tables are those of this version: during an upgrade a host may be ahead."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT app, name FROM django_migrations")
            missing = _installed_migrations() - {(name, one) for name, one in cursor.fetchall()}
    except (DatabaseError, InterfaceError) as error:
        return {"ok": False, "message": f"The tables are not known: {type(error).__name__}."}
    message = f"The tables lack {len(missing)} migrations: start a web server of this version."
    return {"ok": not missing, "message": message if missing else ""}


@readiness_part("backup")
def _backup() -> PartState:
    state = backup_state()
    message = "No nightly backup was made in the last 26 hours: see the worker's log."
    return {"ok": not state["late"], "message": message if state["late"] else ""}


@never_cache
@require_safe
@login_not_required
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 while pages can be served, 503 when the database does not answer.

    Without a broker or a worker the site still accepts judgments; `status` is then "degraded".
    """
    parts = {name: check() for name, check in PARTS.items()}
    served = parts["database"]["ok"]
    status = "ok" if all(part["ok"] for part in parts.values()) else "degraded"
    answer = {"status": status if served else "down", "version": __version__, **parts}
    return JsonResponse(answer, status=200 if served else 503)


_asking = threading.Lock()
_last: list[tuple[int, dict[str, Any]]] = []


@never_cache
@require_safe
@login_not_required
def readyz(request: HttpRequest) -> JsonResponse:
    """Answer 200 while answers can be saved, else 503; `reasons` says what is not well.

    `status` is "ready", "degraded" (answers are saved, and something else does not work) or
    "down". One request at a time asks, so that no crowd of them can keep the process busy; the
    others get its last answer.
    """
    if not _asking.acquire(blocking=not _last):
        status, answer = _last[0]
        return JsonResponse(answer, status=status)
    try:
        _last[:] = [_readiness()]
        status, answer = _last[0]
    finally:
        _asking.release()
    return JsonResponse(answer, status=status)


def _readiness() -> tuple[int, dict[str, Any]]:
    parts = {name: check() for name, check in {**PARTS, **READINESS}.items()}
    saves = all(parts[name]["ok"] for name in ("database", "saving", "migrations"))
    reasons = [part["message"] for part in parts.values() if not part["ok"]]
    status = "down" if not saves else "degraded" if reasons else "ready"
    answer = {"status": status, "reasons": reasons, "version": __version__, **parts}
    return (200 if saves else 503), answer

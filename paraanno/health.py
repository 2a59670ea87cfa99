"""`/healthz`: what a load balancer, a container engine and `make run` ask."""

from __future__ import annotations

import os
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu.exceptions import KombuError

from paraanno import __version__
from paraanno.celery import app


def _database() -> dict[str, Any]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return {"ok": False, "message": f"The database does not answer: {type(error).__name__}."}
    return {"ok": True, "message": ""}


def _broker() -> dict[str, Any]:
    if app.conf.broker_url.startswith("filesystem"):
        ok = os.access(settings.BROKER_DIR / "queue", os.R_OK | os.W_OK | os.X_OK)
        return {"ok": ok, "message": "" if ok else "The broker folder cannot be written."}
    try:
        with app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
    except (OSError, KombuError) as error:
        return {"ok": False, "message": f"The broker does not answer: {type(error).__name__}."}
    return {"ok": True, "message": ""}


def _worker() -> dict[str, Any]:
    from scoring.selectors.workers import worker_status

    try:
        status = worker_status()
    except DatabaseError as error:
        return {"ok": False, "seen_at": None, "message": f"Unknown: {type(error).__name__}."}
    return {"ok": status.alive, "seen_at": status.seen_at, "message": status.message}


@never_cache
@require_safe
@login_not_required
def healthz(request: HttpRequest) -> JsonResponse:
    """200 while pages can be served, 503 when the database is away.

    Without a broker or a worker the site still takes judgments: `status` is "degraded" then.
    """
    database = _database()
    parts = {"database": database, "broker": _broker(), "worker": _worker()}
    status = "ok" if all(part["ok"] for part in parts.values()) else "degraded"
    answer = {"status": status if database["ok"] else "down", "version": __version__, **parts}
    return JsonResponse(answer, status=200 if database["ok"] else 503)

"""Is anybody working? What the banner, /healthz and the API say about workers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.db.models import Max
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.models import WorkerBeat
from scoring.services.workers import processes_for

TOLD_FOR = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """`level` is ok, warning or error; `message` is empty where all is well."""

    alive: bool
    seen_at: datetime | None
    restarted_at: datetime | None
    level: Literal["ok", "warning", "error"]
    message: str


def worker_status() -> WorkerStatus:
    """Whether a worker for usual work lives, and whether one ended unexpectedly within a minute.

    Three short queries; times are compared by the clock of the database. The age of the last
    sign of life is at most 25 seconds for a living worker.
    """
    seen = WorkerBeat.objects.aggregate(seen=Max("seen_at"))["seen"]
    if not processes_for(""):
        return WorkerStatus(
            False,
            seen,
            None,
            "error",
            _("No worker is running: scores and reports wait until one is started."),
        )
    lost = WorkerBeat.objects.filter(lost_at__gte=Now() - TOLD_FOR).aggregate(at=Max("lost_at"))
    restarted = lost["at"]
    if restarted is None:
        return WorkerStatus(True, seen, None, "ok", "")
    at = timezone.localtime(restarted).strftime("%H:%M:%S")
    return WorkerStatus(
        True,
        seen,
        restarted,
        "warning",
        _(
            "A worker ended unexpectedly and was restarted at %(at)s; "
            "unfinished work goes on by itself."
        )
        % {"at": at},
    )

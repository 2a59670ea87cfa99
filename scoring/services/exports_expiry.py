"""Exported files do not stay for ever: a worker's timer removes the old ones.

Every worker may at once. The row is marked before the file goes, so that no page offers a file that
is not there; a file whose removal was cut off has no row that needs it, and goes by its own age.
"""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db.models.functions import Now

from annotation.services.transactions import short_write
from scoring.models import ExportFile

logger = logging.getLogger(__name__)
AT_ONCE = 100
GRACE = timedelta(days=1)


def exports_expire() -> int:
    """Remove files whose lifetime is over; how many were marked."""
    lifetime = timedelta(days=settings.EXPORT_DAYS)
    due = ExportFile.objects.filter(
        status=ExportFile.Status.DONE, removed_at=None, finished_at__lt=Now() - lifetime
    )
    old = list(due.order_by("pk")[:AT_ONCE])
    if old:
        with short_write():
            due.filter(pk__in=[file.pk for file in old]).update(removed_at=Now())
        logger.info("Removed %s exported files after %s days", len(old), settings.EXPORT_DAYS)
    for file in old:
        file.stored.unlink(missing_ok=True)
    _remove_strays(time.time() - (lifetime + GRACE).total_seconds())
    return len(old)


def _remove_strays(before: float) -> None:
    """What no row needs: drafts of workers that were killed, files of rows that are gone."""
    folder = Path(settings.MEDIA_ROOT) / "exports"
    for path in folder.glob("*"):
        try:
            if path.stat().st_mtime < before:
                path.unlink()
        except FileNotFoundError:
            continue  # Another worker was first.

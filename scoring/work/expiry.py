"""Files that are over, removed on the timer of each worker: exports, and uploaded archives.

Workers may do it at the same time. A row is marked before its file is deleted, so that no page
offers a missing file. If the deletion is interrupted, the file is later removed as a stray. What
writes and reads these files takes 17 MB to load, which a worker without work goes without.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db.models.functions import Now

from annotation.database import short_write
from paraanno import clock
from scoring.models import ExportFile, RestoreJob
from scoring.models.files import RESTORES

logger = logging.getLogger(__name__)
AT_ONCE = 100
STRAY_AFTER = timedelta(days=1)


def exports_expire() -> int:
    """Remove expired files; return how many were marked."""
    lifetime = timedelta(days=settings.EXPORT_DAYS)
    due = ExportFile.objects.filter(
        status=ExportFile.Status.DONE, removed_at=None, finished_at__lt=Now() - lifetime
    )
    old = list(due.order_by("pk")[:AT_ONCE])
    if old:
        with short_write():
            due.filter(pk__in=[file.pk for file in old]).update(removed_at=Now())
        logger.info("Removed %s exported files after %s days", len(old), settings.EXPORT_DAYS)
    for one in old:
        one.stored.unlink(missing_ok=True)
    _remove_strays(time.time() - (lifetime + STRAY_AFTER).total_seconds())
    return len(old)


def _remove_strays(before: float) -> None:
    """Remove files that no row needs: drafts of killed workers, and files of deleted rows."""
    for path in Path(settings.MEDIA_ROOT, "exports").glob("*"):
        with suppress(FileNotFoundError):  # Another worker has removed it.
            if path.stat().st_mtime < before:
                path.unlink()


def restores_expire() -> int:
    """Remove files that no job needs; return how many."""
    RestoreJob.objects.filter(finished_at__lt=Now() - STRAY_AFTER).exclude(path="").update(path="")
    before = (clock.now() - STRAY_AFTER).timestamp()
    removed = 0
    for path in Path(settings.DATA_DIR, RESTORES).glob("*.zip"):
        name = str(path.relative_to(settings.DATA_DIR))
        with suppress(FileNotFoundError):  # Another worker has removed it.
            if path.stat().st_mtime < before and not RestoreJob.objects.filter(path=name).exists():
                path.unlink()
                removed += 1
    return removed

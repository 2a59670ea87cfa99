"""Removal of expired export files, on the timer of each worker.

Workers may do it at the same time. The row is marked before the file is deleted, so that no page
offers a missing file. If the deletion is interrupted, the file is later removed as a stray.
"""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from scoring.models import ExportFile
from scoring.selectors.disk import removable_exports

logger = logging.getLogger(__name__)
AT_ONCE = 100
GRACE = timedelta(days=1)


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
    _unlink(old)
    _remove_strays(time.time() - (lifetime + GRACE).total_seconds())
    return len(old)


def _remove_strays(before: float) -> None:
    """Remove files that no row needs: drafts of killed workers, and files of deleted rows."""
    folder = Path(settings.MEDIA_ROOT) / "exports"
    for path in folder.glob("*"):
        try:
            if path.stat().st_mtime < before:
                path.unlink()
        except FileNotFoundError:
            continue  # Another worker has removed it.


def exports_clear(*, actor: Actor) -> int:
    """Remove every exported file now, for an administrator who needs room; return how many.

    The rows stay, so that each can be made again. Callers check permission first.
    """
    removed = list(removable_exports())
    with short_write():
        removable_exports().filter(pk__in=[one.pk for one in removed]).update(removed_at=Now())
        for one in removed[:1]:
            audit(actor=actor, verb="clear exports", about=one, campaign=None, files=len(removed))
        # Not before the rows say so: what is rolled back keeps its files.
        transaction.on_commit(lambda: _unlink(removed))
    return len(removed)


def _unlink(files: list[ExportFile]) -> None:
    for one in files:
        one.stored.unlink(missing_ok=True)

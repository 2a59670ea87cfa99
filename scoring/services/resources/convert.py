"""Conversion of a resource by a worker: check the file, and write the store that metrics use.

Safe to repeat and to kill: a store is built in a temporary folder and renamed when complete.
"""

from __future__ import annotations

import errno
import logging
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import DatabaseError
from django.db.models import F
from django.db.models.functions import Now

from annotation.services.transactions import short_write
from paraanno.plain.renaming import put_in_place
from paraanno.plain.sentence import changed, said, say
from paraanno.plain.sentence_columns import columns, told
from scoring.metrics.files import FileRefused, sha256
from scoring.metrics.resources.sandboxed import convert
from scoring.models import Resource
from scoring.services.workers.heartbeats import process_name

logger = logging.getLogger(__name__)
FOLDER = "resources"
TASK = "scoring.tasks.files_begin"
TELL_SECONDS = 0.5
NO_ROOM = say("The server’s disk is full: free some space, then add the file again.")
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class _Lost(Exception):
    """The resource was removed, or claimed by another process."""


def files_work() -> int:
    """Convert the files that wait, one after another; return how many were taken."""
    taken, more = 0, 1
    while more:
        waiting = Resource.objects.filter(status=Resource.Status.CHECKING, worker="")
        pks = list(waiting.order_by("heartbeat", "pk").values_list("pk", flat=True))
        more = sum(resource_convert(resource_pk=pk) for pk in pks)
        taken += more
    return taken


def resource_convert(*, resource_pk: int) -> bool:
    """Convert a waiting file, and return whether it was: a message may come twice or late."""
    with short_write():
        mine = Resource.objects.filter(
            pk=resource_pk, status=Resource.Status.CHECKING, worker=""
        ).update(worker=process_name(), attempts=F("attempts") + 1, heartbeat=Now(), progress=0)
    if not mine:
        return False
    resource = Resource.objects.get(pk=resource_pk)
    root = Path(settings.DATA_DIR) / FOLDER
    half = root / f"half-{resource.key}-{os.getpid()}"
    try:
        for left in root.glob(f"half-{resource.key}-*"):  # Left by a killed worker.
            shutil.rmtree(left, ignore_errors=True)
        half.mkdir(mode=0o700, parents=True)
        place, meta = converted(
            kind=resource.kind, source=resource.origin, digest=resource.sha256, half=half,
            progress=_Progress(resource),
        )  # fmt: skip
    except _Lost:
        return True
    except DatabaseError:
        raise  # The sweep requeues it: the file is not to blame.
    except Exception as error:
        logger.warning("%s was refused", resource, exc_info=error)
        why = _why(resource, error)
        _close(resource, status=Resource.Status.REFUSED, **columns("error", why))
    else:
        _close(resource, status=Resource.Status.READY, path=place, meta=meta, progress=1.0)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return True


def converted(
    *, kind: str, source: Path, digest: str, half: Path, progress: Callable[[float], None]
) -> tuple[str, dict[str, int]]:
    """Convert `source` in the empty folder `half`, and rename that when it is complete.

    Returns the path of the store in the data folder, and its metadata. Raises FileRefused, also if
    the file has changed since it was added.
    """
    meta = convert(kind, source, half, progress=progress)
    if sha256(source) != digest:
        raise FileRefused.at(source, 0, say("has changed since it was added; add it again."))
    flush(half)
    place = Path(FOLDER) / f"{kind}-{digest}"
    whole = Path(settings.DATA_DIR) / place
    try:
        put_in_place(half, whole)
    except OSError as error:
        # Another process has stored the same content: use its store.
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
            raise
    return str(place), meta


def flush(folder: Path) -> None:
    """Have the disk write every file, so that a complete store is one after a loss of power."""
    for file in folder.rglob("*"):
        if file.is_file():
            with file.open("rb") as stream:
                os.fsync(stream.fileno())


class _Progress:
    """Store the progress of a conversion, at most twice a second; stop it if its claim is lost."""

    def __init__(self, resource: Resource) -> None:
        self._mine = Resource.objects.filter(
            pk=resource.pk, status=Resource.Status.CHECKING, worker=process_name()
        )
        self._told = time.monotonic()

    def __call__(self, share: float) -> None:
        if time.monotonic() - self._told < TELL_SECONDS:
            return
        share = min(max(share, 0.0), 1.0)
        with short_write():
            if not self._mine.update(progress=share, heartbeat=Now()):
                raise _Lost
        self._told = time.monotonic()


def _why(resource: Resource, error: Exception) -> str:
    """The error message and remedy, without paths of the server."""
    if isinstance(error, FileRefused):
        shown = resource.file_name or resource.name
        return changed(said(error), lambda text: text.replace(str(resource.origin), shown))
    if isinstance(error, OSError) and error.errno in FULL:
        return NO_ROOM
    if isinstance(error, MemoryError):
        return say("The file needs more memory than the worker has: add a smaller one.")
    if isinstance(error, SoftTimeLimitExceeded):
        return say("Reading the file took too long: add a smaller one.")
    return changed(told(error), lambda text: text.replace(str(settings.DATA_DIR), ""))


def _close(resource: Resource, **changes: object) -> None:
    """End a conversion that this process still claims; delete the uploaded file."""
    with short_write():
        mine = Resource.objects.filter(
            pk=resource.pk, status=Resource.Status.CHECKING, worker=process_name()
        ).update(worker="", source="", heartbeat=Now(), **changes)
    if mine:
        forget_source(resource)


def forget_source(resource: Resource) -> None:
    """Delete an uploaded source file; a file of the server's folder is left in place."""
    if resource.source and not Path(resource.source).is_absolute():
        resource.origin.unlink(missing_ok=True)

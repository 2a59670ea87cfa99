"""What a worker does for a resource: check the file, and write what metrics use of it.

Safe to repeat, and safe to kill: what is half done lies in a folder of another name, and only a
whole store is renamed.
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
from django.utils.translation import gettext as _

from annotation.services.transactions import short_write
from scoring.metrics.files import FileRefused, sha256
from scoring.metrics.kinds import convert
from scoring.models import Resource
from scoring.services.workers import process_name

logger = logging.getLogger(__name__)
FOLDER = "resources"
TASK = "scoring.tasks.resource_convert"
TELL_SECONDS = 0.5
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class _Lost(Exception):
    """The resource was removed, or given to another process."""


def resource_convert(*, resource_pk: int) -> None:
    """Convert a file that waits; quiet where there is none: a message may come twice or late."""
    with short_write():
        mine = Resource.objects.filter(
            pk=resource_pk, status=Resource.Status.CHECKING, worker=""
        ).update(worker=process_name(), attempts=F("attempts") + 1, heartbeat=Now(), progress=0)
    if not mine:
        return
    resource = Resource.objects.get(pk=resource_pk)
    root = Path(settings.DATA_DIR) / FOLDER
    half = root / f"half-{resource.key}-{os.getpid()}"
    try:
        for left in root.glob(f"half-{resource.key}-*"):  # By a worker that was killed.
            shutil.rmtree(left, ignore_errors=True)
        half.mkdir(mode=0o700, parents=True)
        place, meta = converted(
            kind=resource.kind, source=resource.origin, digest=resource.sha256, half=half,
            progress=_Progress(resource),
        )  # fmt: skip
    except _Lost:
        return
    except DatabaseError:
        raise  # The sweep puts it back: this is not the file's fault.
    except Exception as error:
        logger.warning("%s was refused", resource, exc_info=error)
        _close(resource, status=Resource.Status.REFUSED, error=_why(resource, error))
    else:
        _close(resource, status=Resource.Status.READY, path=place, meta=meta, progress=1.0)
    finally:
        shutil.rmtree(half, ignore_errors=True)


def converted(
    *, kind: str, source: Path, digest: str, half: Path, progress: Callable[[float], None]
) -> tuple[str, dict[str, int]]:
    """Convert `source` in the empty folder `half`, and give that its name when it is whole.

    Returns the path of the store in the data folder, and what it says of itself. Raises
    FileRefused, also where the file is no longer the one that was given.
    """
    meta = convert(kind, source, half, progress=progress)
    if sha256(source) != digest:
        raise FileRefused(f"{source}:0: has changed since it was given; give it again.")
    for file in half.rglob("*"):
        if file.is_file():
            with file.open("rb") as stream:
                os.fsync(stream.fileno())
    place = Path(FOLDER) / f"{kind}-{digest}"
    whole = Path(settings.DATA_DIR) / place
    try:
        half.rename(whole)
    except OSError as error:
        # Another process was first with the same content: its store is as good.
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
            raise
    return str(place), meta


class _Progress:
    """Writes how far a conversion is, twice a second at most; ends one that nobody owns."""

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
    """What went wrong and what to do, without paths of the server."""
    if isinstance(error, FileRefused):
        shown = resource.file_name or resource.name
        return "\n".join(line.replace(str(resource.origin), shown) for line in error.lines)
    if isinstance(error, OSError) and error.errno in FULL:
        return no_room()
    if isinstance(error, MemoryError):
        return _("The file needs more memory than the worker has: give a smaller one.")
    if isinstance(error, SoftTimeLimitExceeded):
        return _("Reading the file took too long: give a smaller one.")
    return f"{type(error).__name__}: {error}".replace(str(settings.DATA_DIR), "")


def no_room() -> str:
    """What is said where the disk is full."""
    return _("There is no room left on the server’s disk: make some, then give the file again.")


def _close(resource: Resource, **changes: object) -> None:
    """End a conversion that is still ours; an uploaded file is not needed any more."""
    with short_write():
        mine = Resource.objects.filter(
            pk=resource.pk, status=Resource.Status.CHECKING, worker=process_name()
        ).update(worker="", source="", heartbeat=Now(), **changes)
    if mine:
        forget_source(resource)


def forget_source(resource: Resource) -> None:
    """Remove the uploaded file; one that lies on the server stays."""
    if resource.source and not Path(resource.source).is_absolute():
        resource.origin.unlink(missing_ok=True)

"""Conversion of a resource by a worker: check the file, and write the store that metrics use.

Safe to repeat and to kill: a store is built in a temporary folder and renamed when complete.
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable
from pathlib import Path

from django.conf import settings

from paraanno.common.on_disk import put_in_place
from paraanno.common.texts import changed, message_of, say
from paraanno.jobs.engine import Claim, all_work, reason
from scoring.jobs import RESOURCE
from scoring.metrics.files import FileRefused, sha256
from scoring.metrics.resources.stores import convert
from scoring.models import Resource

FOLDER = "resources"


def files_work() -> int:
    """Convert the files that wait, one after another; return how many were taken."""
    return all_work(RESOURCE)


def resource_work(claim: Claim) -> dict[str, object]:
    """Convert the file of a resource."""
    resource: Resource = claim.row
    root = Path(settings.DATA_DIR) / FOLDER
    half = root / f"half-{resource.key}-{claim.token[:8]}"
    try:
        _remove_halves(resource)
        half.mkdir(mode=0o700, parents=True)
        place, meta = converted(
            kind=resource.kind,
            source=resource.origin,
            digest=resource.sha256,
            half=half,
            progress=lambda share: claim.tell(progress=min(max(share, 0.0), 1.0)),
        )
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return {"path": place, "meta": meta, "progress": 1.0}


def resource_why(resource: Resource, error: Exception) -> str:
    """The error message and remedy, without paths of the server."""
    if isinstance(error, FileRefused):
        shown = resource.file_name or resource.name
        return changed(message_of(error), lambda text: text.replace(str(resource.origin), shown))
    return reason(error)


def resource_over(resource: Resource) -> None:
    """Delete the file that was converted, or refused, unless it is to be tried again."""
    rows = Resource.objects.filter(pk=resource.pk)
    if not rows.filter(status=Resource.Status.CHECKING).exists():
        _remove_halves(resource)
        forget_source(resource)
        rows.filter(source=resource.source).update(source="")


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
    return store_keep(half, f"{kind}-{digest}"), meta


def store_keep(made: Path, name: str) -> str:
    """Move a whole store to the resources, under a name that its content has; return its path in
    the data folder."""
    place = Path(FOLDER) / name
    whole = Path(settings.DATA_DIR) / place
    whole.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        put_in_place(made, whole)
    except OSError as error:
        # Another process, or this one before it was killed, has stored the same content.
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
            raise
    return str(place)


def _remove_halves(resource: Resource) -> None:
    """Remove what killed attempts have left."""
    for left in (Path(settings.DATA_DIR) / FOLDER).glob(f"half-{resource.key}-*"):
        shutil.rmtree(left, ignore_errors=True)


def forget_source(resource: Resource) -> None:
    """Delete an uploaded source file; a file of the server's folder is left in place."""
    if resource.source and not Path(resource.source).is_absolute():
        resource.origin.unlink(missing_ok=True)

"""Adding resources (files that metrics need): by upload, from the server's folder, or by the
command.

A resource is identified by its place (whose it is), its kind and SHA-256. A worker converts it
(convert.py), each time anew: that it is quicker would tell that somebody else has the same file.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.db import IntegrityError
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Ownership
from annotation.selectors.scope import place_of
from annotation.services.audit import Actor, audit
from annotation.services.people.creators import quota_check
from annotation.services.transactions import short_write
from paraanno.plain.renaming import put_in_place
from paraanno.plain.sentence import said
from paraanno.plain.sentence_columns import columns
from paraanno.translated import translated
from scoring.jobs import RESOURCE
from scoring.metrics.files import FileRefused, sha256
from scoring.metrics.resources.kinds import kinds
from scoring.models import Resource
from scoring.services.resources.convert import FOLDER, converted

INCOMING = "incoming"


def resource_upload(
    *, kind: str, file: Path, digest: str, file_name: str, name: str = "", actor: Actor,
    place: Ownership | None = None,
) -> tuple[Resource, bool]:  # fmt: skip
    """Move an uploaded file into the data folder, and queue its conversion.

    `digest` is its SHA-256; `place` is the actor's own by default. The same content in that place
    gives the existing resource; a refused one is tried again. Returns the resource, and whether a
    conversion was queued. Raises Invalid for an unknown kind or a file that is too large.
    """
    check_kind(kind)
    check_size(file)
    folder = Path(settings.DATA_DIR) / FOLDER / INCOMING
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Readers tell formats apart by the suffix; the rest of the name is ours.
    ending = ".bin" if file_name.lower().endswith(".bin") else ".txt"
    kept = folder / f"{uuid4().hex}{ending}"
    size = file.stat().st_size
    put_in_place(file, kept)
    try:
        resource, asked = _ask(
            kind=kind, source=str(kept.relative_to(settings.DATA_DIR)), digest=digest, size=size,
            file_name=file_name, name=name, actor=actor, place=place or place_of(actor, None),
        )  # fmt: skip
    except BaseException:
        kept.unlink(missing_ok=True)
        raise
    if not asked:
        kept.unlink(missing_ok=True)
    return resource, asked


def resource_from_server(
    *, kind: str, path: str, name: str = "", actor: Actor, place: Ownership | None = None
) -> tuple[Resource, bool]:
    """Queue the conversion of a file below PARAANNO_RESOURCE_DIR, which is left in place.

    `path` is relative to that folder. Returns the same as `resource_upload`. Raises Invalid if
    there is no such file below it, or if a link leads out of it. Callers check first that the actor
    administers the site.
    """
    check_kind(kind)
    file = server_file(path)
    check_size(file)
    try:
        digest = sha256(file)
    except FileRefused as refusal:
        raise Invalid(translated(said(refusal))) from refusal
    return _ask(
        kind=kind, source=str(file), digest=digest, size=file.stat().st_size,
        file_name=file.name, name=name, actor=actor, place=place or place_of(actor, None),
    )  # fmt: skip


def server_file(path: str) -> Path:
    """Return the file below PARAANNO_RESOURCE_DIR; Invalid if there is none."""
    if not settings.RESOURCE_DIR:
        raise Invalid(_("No folder on the server is available: set PARAANNO_RESOURCE_DIR."))
    root = Path(settings.RESOURCE_DIR).resolve()
    try:
        file = (root / path).resolve(strict=True)
        found = file.is_relative_to(root) and file.is_file()
    except (OSError, ValueError, RuntimeError):  # missing; a NUL in the name; a loop of links
        found = False
    if not found:
        raise Invalid(
            _("There is no file %(path)s in the server’s folder.") % {"path": f"{path!r}"}
        )
    return file


def resource_add(
    *,
    kind: str,
    path: Path,
    name: str = "",
    actor: Actor,
    place: Ownership | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> Resource:
    """Convert a file synchronously and add it as a resource; for the command.

    The same content in the same place gives the existing resource. Raises Invalid for an unknown
    kind or a file that is not of that kind, with a line for each problem.
    """
    check_kind(kind)
    try:
        return resource_store(
            kind=kind, path=path, name=name, actor=actor, progress=progress,
            place=place or place_of(actor, None),
        )  # fmt: skip
    except FileRefused as refusal:
        raise Invalid(translated(said(refusal))) from refusal
    except OSError as error:
        raise Invalid(f"{path}:0: {error.strerror or error}") from error


def resource_store(
    *, kind: str, path: Path, name: str, actor: Actor, place: Ownership,
    progress: Callable[[float], None],
) -> Resource:  # fmt: skip
    """The same for workers. Raises FileRefused, OSError, and what `progress` raises."""
    digest = sha256(path)
    there = Resource.objects.filter(place.within())
    found = there.filter(kind=kind, sha256=digest, status=Resource.Status.READY).first()
    if found is not None and not _is_of_no_use(found) and found.bound >= place.bound:
        return found
    root = Path(settings.DATA_DIR) / FOLDER
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    half = Path(tempfile.mkdtemp(prefix="half-", dir=root))
    try:
        store, meta = converted(kind=kind, source=path, digest=digest, half=half, progress=progress)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    ready = {
        "path": store, "meta": meta, "status": Resource.Status.READY, "progress": 1.0,
        "worker": "", "token": "", **columns("error", ""), **place.binds(),
    }  # fmt: skip
    with short_write():
        resource, made = there.update_or_create(
            kind=kind,
            sha256=digest,
            defaults=ready,
            create_defaults={
                **ready,
                **place.fields(),
                "name": (name or path.name)[:200],
                "file_name": path.name[:255],
                "size": path.stat().st_size,
                "created_by_id": actor.pk if actor else None,
            },
        )
        if made:
            audit(
                actor=actor, verb="add resource", about=resource, campaign=place.campaign,
                sha256=digest, scope=place.scope,
            )  # fmt: skip
    return resource


def check_kind(kind: str) -> None:
    """Raise Invalid for an unknown kind."""
    if kind not in kinds():
        raise Invalid(
            _("There is no kind %(kind)s: use %(kinds)s.")
            % {"kind": f"{kind!r}", "kinds": ", ".join(kinds())}
        )


def check_size(file: Path) -> None:
    """Raise Invalid for a file that is larger than PARAANNO_MAX_RESOURCE_MB allows."""
    if file.stat().st_size > settings.RESOURCE_MAX_BYTES:
        raise Invalid(too_large())


def too_large() -> str:
    """The error message for a file over the limit."""
    return _(
        "The file is larger than %(most)s MB. Leave out rare words, or ask an administrator, who "
        "can raise PARAANNO_MAX_RESOURCE_MB."
    ) % {"most": settings.RESOURCE_MAX_BYTES // 2**20}


def _ask(
    *, kind: str, source: str, digest: str, size: int, file_name: str, name: str, actor: Actor,
    place: Ownership,
) -> tuple[Resource, bool]:  # fmt: skip
    """Return the resource with this content in the place; queue its conversion if it is new or was
    refused."""
    waiting = {
        "source": source, "status": Resource.Status.CHECKING, "progress": 0.0, "worker": "",
        "token": "", "attempts": 0, "retries": 0, "not_before": None, "heartbeat": Now(),
        "finished_at": None, "file_name": file_name[:255], **columns("error", ""),
    }  # fmt: skip
    content = {"kind": kind, "sha256": digest}
    there = Resource.objects.filter(place.within(), **content)
    try:
        with short_write():
            found = there.first()
            if found is not None:
                mine = Resource.objects.filter(pk=found.pk, status=found.status)
                if not _is_of_no_use(found) or not mine.update(**waiting):
                    return found, False
            if found is None:
                quota_check(actor=actor, model=Resource, most=settings.RESOURCES_PER_USER)
                found = Resource.objects.create(
                    **content, **waiting, **place.fields(), size=size,
                    name=(name or file_name)[:200],
                    created_by_id=actor.pk if actor else None,
                )  # fmt: skip
            audit(
                actor=actor, verb="add resource", about=found, campaign=place.campaign,
                sha256=digest, scope=place.scope,
            )  # fmt: skip
            RESOURCE.notify(found.pk)
    except IntegrityError:  # The same file was added at the same moment.
        return there.get(), False
    found.refresh_from_db()
    return found, True


def _is_of_no_use(resource: Resource) -> bool:
    """Whether it was refused, or its store is missing from the data folder."""
    if resource.status == Resource.Status.READY:
        return not resource.stored.exists()
    return resource.status == Resource.Status.REFUSED

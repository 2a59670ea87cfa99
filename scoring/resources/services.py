"""Adding resources (files that metrics need): by upload, from the server's folder, or by the
command.

A resource is identified by its place (whose it is), its kind and SHA-256. A worker converts it
(convert.py), each time anew: that it is quicker would tell that somebody else has the same file.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from annotation.access import campaigns_read_by, place_of, quota_check, seen_by
from annotation.database import Actor, audit, short_write
from annotation.errors import Conflict, Invalid
from annotation.models import Ownership, Visibility
from paraanno.common.on_disk import put_in_place
from paraanno.common.records import columns
from paraanno.common.texts import message_of
from paraanno.template_filters import translated
from scoring.jobs import RESOURCE
from scoring.metrics.files import FileRefused, sha256
from scoring.metrics.resources.kinds import kinds
from scoring.models import Build, Resource, Run
from scoring.models.resources import FOLDER as BUILDS
from scoring.models.resources import build_digest
from scoring.resources.convert import FOLDER, converted, forget_source

INCOMING = "incoming"


def resource_upload(
    *,
    kind: str,
    file: Path,
    digest: str,
    file_name: str,
    name: str = "",
    actor: Actor,
    place: Ownership | None = None,
) -> tuple[Resource, bool]:
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
    destination = folder / f"{uuid4().hex}{ending}"
    size = file.stat().st_size
    put_in_place(file, destination)
    try:
        resource, queued = _ask(
            kind=kind,
            source=str(destination.relative_to(settings.DATA_DIR)),
            digest=digest,
            size=size,
            file_name=file_name,
            name=name,
            actor=actor,
            place=place or place_of(actor, None),
        )
    except BaseException:
        destination.unlink(missing_ok=True)
        raise
    if not queued:
        destination.unlink(missing_ok=True)
    return resource, queued


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
        raise Invalid(translated(message_of(refusal))) from refusal
    return _ask(
        kind=kind,
        source=str(file),
        digest=digest,
        size=file.stat().st_size,
        file_name=file.name,
        name=name,
        actor=actor,
        place=place or place_of(actor, None),
    )


def server_file(path: str) -> Path:
    """Return the file below PARAANNO_RESOURCE_DIR; Invalid if there is none."""
    if not settings.RESOURCE_DIR:
        raise Invalid(_("No folder on the server is available: set PARAANNO_RESOURCE_DIR."))
    root = Path(settings.RESOURCE_DIR).resolve()
    try:
        file = (root / path).resolve(strict=True)
        is_available = file.is_relative_to(root) and file.is_file()
    except (OSError, ValueError, RuntimeError):  # missing; a NUL in the name; a loop of links
        is_available = False
    if not is_available:
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
            kind=kind,
            path=path,
            name=name,
            actor=actor,
            progress=progress,
            place=place or place_of(actor, None),
        )
    except FileRefused as refusal:
        raise Invalid(translated(message_of(refusal))) from refusal
    except OSError as error:
        raise Invalid(f"{path}:0: {error.strerror or error}") from error


def resource_store(
    *,
    kind: str,
    path: Path,
    name: str,
    actor: Actor,
    place: Ownership,
    progress: Callable[[float], None],
) -> Resource:
    """The same for workers. Raises FileRefused, OSError, and what `progress` raises."""
    digest = sha256(path)
    there = Resource.objects.filter(place.within())
    existing = there.filter(kind=kind, sha256=digest, status=Resource.Status.READY).first()
    if existing is not None and not _is_of_no_use(existing) and existing.bound >= place.bound:
        return existing
    root = Path(settings.DATA_DIR) / FOLDER
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    half = Path(tempfile.mkdtemp(prefix="half-", dir=root))
    try:
        store, meta = converted(kind=kind, source=path, digest=digest, half=half, progress=progress)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    with short_write():
        resource, made = resource_ready(
            place,
            kind,
            digest,
            path=store,
            meta=meta,
            new={
                "name": (name or path.name)[:200],
                "file_name": path.name[:255],
                "size": path.stat().st_size,
                "created_by_id": actor.pk if actor else None,
            },
        )
        if made:
            audit(
                actor=actor,
                verb="add resource",
                about=resource,
                campaign=place.campaign,
                sha256=digest,
                scope=place.scope,
            )
    return resource


def resource_ready(
    place: Ownership,
    kind: str,
    digest: str,
    *,
    path: str,
    meta: Mapping[str, int],
    new: Mapping[str, object],
) -> tuple[Resource, bool]:
    """Write the row of content whose store is whole; return it, and whether it is new. `new`: what
    only a new row gets. Call it in a transaction."""
    ready = {
        "path": path,
        "meta": meta,
        "status": Resource.Status.READY,
        "progress": 1.0,
        "worker": "",
        "token": "",
        **columns("error", ""),
        **place.binds(),
    }
    return Resource.objects.filter(place.within()).update_or_create(
        kind=kind,
        sha256=digest,
        defaults=ready,
        create_defaults={**ready, **place.fields(), **new},
    )


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
    *,
    kind: str,
    source: str,
    digest: str,
    size: int,
    file_name: str,
    name: str,
    actor: Actor,
    place: Ownership,
) -> tuple[Resource, bool]:
    """Return the resource with this content in the place; queue its conversion if it is new or was
    refused."""
    waiting = {
        "source": source,
        "status": Resource.Status.CHECKING,
        "progress": 0.0,
        "worker": "",
        "token": "",
        "attempts": 0,
        "retries": 0,
        "not_before": None,
        "heartbeat": Now(),
        "finished_at": None,
        "file_name": file_name[:255],
        **columns("error", ""),
    }
    content = {"kind": kind, "sha256": digest}
    there = Resource.objects.filter(place.within(), **content)
    try:
        with short_write():
            resource = there.first()
            if resource is not None:
                unchanged = Resource.objects.filter(pk=resource.pk, status=resource.status)
                if not _is_of_no_use(resource) or not unchanged.update(**waiting):
                    return resource, False
            if resource is None:
                quota_check(actor=actor, model=Resource, most=settings.RESOURCES_PER_USER)
                resource = Resource.objects.create(
                    **content,
                    **waiting,
                    **place.fields(),
                    size=size,
                    name=(name or file_name)[:200],
                    created_by_id=actor.pk if actor else None,
                )
            audit(
                actor=actor,
                verb="add resource",
                about=resource,
                campaign=place.campaign,
                sha256=digest,
                scope=place.scope,
            )
            RESOURCE.notify(resource.pk)
    except IntegrityError:  # The same file was added at the same moment.
        return there.get(), False
    resource.refresh_from_db()
    return resource, True


def _is_of_no_use(resource: Resource) -> bool:
    """Whether it was refused, or its store is missing from the data folder."""
    if resource.status == Resource.Status.READY:
        return not resource.stored.exists()
    return resource.status == Resource.Status.REFUSED


# Removal of resources, and of files that dead processes left.
#
# A run keeps the hashes of its resources in its signature, so its scores stay explained. A worker
# that has a store mapped keeps its mapping.


GRACE = timedelta(days=1)
# Django's name for an unfinished upload.
UPLOADS = "*.upload*"


def resource_remove(*, resource: Resource, actor: Actor) -> None:
    """Remove a resource and its files. Raises Conflict while an active run or build uses it.

    A conversion in progress stops by itself. Callers check permission first.
    """
    with short_write():
        refuse_in_use(resource=resource, actor=actor)
        audit(
            actor=actor,
            verb="remove resource",
            about=resource,
            campaign=resource.campaign,
            name=resource.name,
            sha256=resource.sha256,
        )
        Resource.objects.filter(pk=resource.pk).delete()
        transaction.on_commit(partial(_forget_files, resource))


def refuse_in_use(*, resource: Resource, actor: Actor) -> None:
    """Raise Conflict while an active run or build uses it. Of campaigns that the actor does not
    read, and of builds that they do not see, it says no name."""
    user = actor if isinstance(actor, User) else None
    for run in Run.objects.filter(status__in=Run.ACTIVE).select_related("campaign"):
        if str(resource.key) not in run.options.values():
            continue
        if user is None or campaigns_read_by(user=user).filter(pk=run.campaign_id).exists():
            raise Conflict(
                _("%(run)s in %(campaign)s is using it: cancel that run, or wait until it ends.")
                % {"run": run.label, "campaign": run.campaign.name}
            )
        raise Conflict(
            _("A run of a campaign that you do not see is using it: wait until it ends.")
        )
    reading = Build.objects.filter(status__in=Build.ACTIVE, inputs__resource=resource)
    named = reading if user is None else reading.filter(seen_by(user=user))
    if (build := named.first()) is not None:
        raise Conflict(
            _("%(name)s is being made from it: cancel that, or wait until it ends.")
            % {"name": build.name}
        )
    if reading.exists():
        raise Conflict(
            _("Something that you do not see is being made from it: wait until it ends.")
        )


def _forget_files(resource: Resource) -> None:
    forget_source(resource)
    if resource.path and not Resource.objects.filter(path=resource.path).exists():
        shutil.rmtree(resource.stored, ignore_errors=True)


def resources_expire() -> int:
    """Remove files that no resource needs and that are a day old; return how many."""
    before = time.time() - GRACE.total_seconds()
    data = Path(settings.DATA_DIR)
    root = data / FOLDER
    paths = [path for path in root.glob("*") if path.name != INCOMING]
    # Those of builds that were cancelled, or whose process was killed for the last time.
    paths += (data / BUILDS).glob("*")
    paths += [*(root / INCOMING).glob("*"), *Path(settings.FILE_UPLOAD_TEMP_DIR).glob(UPLOADS)]
    old = []
    for path in paths:
        with suppress(FileNotFoundError):  # Another worker has removed it.
            if path.stat().st_mtime < before:
                old.append(path)
    needed: set[Path] = set()
    if old:
        for pair in Resource.objects.values_list("path", "source"):
            needed.update(data / one for one in pair if one)
        needed.update(one.folder for one in Build.objects.filter(status__in=Build.ACTIVE))
    gone = [path for path in old if path not in needed]
    for path in gone:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return len(gone)


# Changing who may use a resource, and with it what made it.


def resource_move(*, resource: Resource, place: Ownership, actor: Actor) -> Resource:
    """Put a resource into another place, with the builds that made it; its owner stays.

    Raises Conflict while somebody uses it who may not be able to afterwards, and if the place has
    the same content. Callers check permission first (`refuse_move`).
    """
    place = Ownership(place.scope, place.campaign, resource.created_by_id)
    fields = place.fields()
    try:
        with short_write():
            if place.scope != Visibility.SITE:
                refuse_in_use(resource=resource, actor=actor)
            before = resource.place
            Resource.objects.filter(pk=resource.pk, bound=False).update(**fields)
            for build in Build.objects.filter(before.within(), resource=resource, bound=False):
                digest = build_digest(build.signature, place)
                Build.objects.filter(pk=build.pk).update(**fields, options_hash=digest)
            audit(
                actor=actor,
                verb="change scope",
                about=resource,
                campaign=place.campaign,
                name=resource.name,
                before=str(before.scope),
                after=str(place.scope),
            )
    except IntegrityError as error:
        raise Conflict(
            _("The same content is there already: remove this one, or that one, first.")
        ) from error
    resource.refresh_from_db()
    return resource

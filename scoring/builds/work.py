"""Builds: carrying them out, in a process of their own.

Safe to repeat and to kill: stages are renamed when they are whole, and so is the store.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from annotation.access import place_of, quota_check
from annotation.database import Actor, short_write
from annotation.errors import Conflict, Invalid
from annotation.importing.items import items_import
from annotation.importing.report import ImportReport
from annotation.models import Campaign, Ownership
from paraanno.common.texts import SentenceError, joined, say
from paraanno.jobs.engine import Claim, Lost, all_work, job_work
from scoring.building.recipes.recipe import BuildCancelled, Made, make, recipe
from scoring.builds.queries import TEST_SETS, preview, test_set_provenance
from scoring.builds.services import STAGE, build_start, own_texts_write
from scoring.jobs import BUILD, RESOURCE
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.stores import ABOUT
from scoring.models import Build, Resource
from scoring.models.resources import PLAIN, TEXTS
from scoring.resources.convert import store_keep
from scoring.resources.queries import plain_file
from scoring.resources.services import resource_add, resource_ready

# A file that was sent as the texts of a build: read by the process that builds, or by a worker,
# whichever is free first.


LOOK_SECONDS = 0.2


def sent_texts_read(*, build: Build, tell: Callable[[str, int, float], None]) -> None:
    """Have the texts of the build read into their store, if they were sent as a file.

    A process that is killed meanwhile loses nothing: the file stays until it has been read. `tell`
    gets the stage, its number and share. Raises FileRefused if the file is no table, and what
    `tell` raises.
    """
    inputs = build.inputs.filter(role=TEXTS, resource__isnull=False)
    for sent in inputs.values_list("resource__pk", flat=True):
        _wait_for(sent, lambda: tell(STAGE, 1, 0.0))


def _wait_for(sent: int, tell: Callable[[], None]) -> None:
    while True:
        tell()
        job_work(RESOURCE.name, sent)  # Nothing, unless it waits for that.
        resource = Resource.objects.filter(pk=sent).first()
        if resource is None or resource.status == Resource.Status.READY:
            return
        if resource.status == Resource.Status.REFUSED:
            raise FileRefused(joined("\n", [resource.sentence]))
        time.sleep(LOOK_SECONDS)


def builds_work() -> int:
    """Carry out the builds that wait, one after another; return how many were taken."""
    return all_work(BUILD)


def build_work(claim: Claim) -> dict[str, Any]:
    """Carry out a build from its last whole stage."""
    build: Build = claim.row
    tell = _Progress(claim)
    try:
        sent_texts_read(build=build, tell=tell)
        resource = own_texts_write(build=build, tell=tell) or _made(build, claim, tell)
    except BuildCancelled as error:
        raise Lost from error
    return {"resource": resource, "share": 1.0}


def build_forget(build: Build) -> None:
    """Delete the stages of a build that is over."""
    if build.status not in Build.ACTIVE or not Build.objects.filter(pk=build.pk).exists():
        shutil.rmtree(build.folder, ignore_errors=True)


def _made(build: Build, claim: Claim, tell: _Progress) -> Resource:
    inputs = {one.role: one.resource for one in build.inputs.select_related("resource")}
    ahead = build.ahead
    made = make(
        recipe(build.recipe),
        {role: one.stored for role, one in inputs.items() if one is not None},
        build.folder,
        build.options,
        cancelled=lambda: claim.lost,
        progress=lambda stage, number, share: tell(stage, ahead + number, share),
    )
    claim.check()
    return _stored_resource(build, made)


class _TakesTooLong(SentenceError):
    """A build has taken longer than PARAANNO_BUILD_MINUTES."""


class _Progress:
    """Stores the stage and its share, and stops a build that takes too long."""

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._stage = ""
        self._furthest = claim.row.number
        self._began = time.monotonic()

    def __call__(self, stage: str, number: int, share: float) -> None:
        changes: dict[str, object] = {"stage": stage, "number": number}
        if number > self._furthest:
            # It got further than before: what ended its processes was not this stage.
            changes["attempts"], self._furthest = 1, number
        share = min(max(share, 0.0), 1.0)
        self._claim.tell(now=stage != self._stage, share=share, **changes)
        self._stage = stage
        if time.monotonic() - self._began > settings.BUILD_MINUTES * 60:
            raise _TakesTooLong(
                say(
                    "It took longer than %(n)s minutes: use a smaller input, or ask an "
                    "administrator, who can raise PARAANNO_BUILD_MINUTES.",
                    n=settings.BUILD_MINUTES,
                )
            )


def _stored_resource(build: Build, made: Made) -> Resource:
    """Move the store to the resources, with the plain file in it, and return its row."""
    plain = made.store / f"{PLAIN}{made.plain.suffix}"
    if not plain.exists():
        os.link(made.plain, plain)
    about = json.loads((made.store / ABOUT).read_text(encoding="utf-8"))
    size, digest = plain.stat().st_size, str(about["sha256"])
    # Its own, not that of an upload of the same bytes: a store has files beside these.
    path = store_keep(made.store, f"{made.kind}-{digest}-{build.options_hash}")
    with short_write():
        resource, _new = resource_ready(
            build.place,
            made.kind,
            digest,
            path=path,
            meta=made.numbers,
            new={
                "name": build.name,
                "file_name": f"{made.kind}{plain.suffix}",
                "size": size,
                "created_by_id": build.created_by_id,
            },
        )
    return resource


# Test sets: files for one, asking for it, and its import into a campaign.


MOST_BYTES = 10 * 2**20  # Of a file that is converted while its sender waits.
KINDS = {"sentences": "corpus", "phrases": "table"}  # Roles that take a file.


def test_set_start(
    *,
    campaign: Campaign,
    inputs: Mapping[str, UUID | str],
    files: Mapping[str, UploadedFile],
    options: Mapping[str, object],
    place: Ownership | None = None,
    name: str = "",
    actor: Actor,
) -> tuple[Build, bool]:
    """Ask for a test set for the campaign; a file by role stands in for a resource, and becomes
    one. Files and result are in `place`, by default the campaign's.

    Returns the build, and whether it is new. Raises Invalid for a file that is too large or wrong,
    and as `build_start`.
    """
    for role, file in files.items():
        if (file.size or 0) > MOST_BYTES:
            raise Invalid(
                _("%(name)s is larger than %(most)s MB: add it on the page Resources.")
                % {"name": file.name, "most": MOST_BYTES // 2**20}
            )
        if role not in KINDS:
            raise Invalid(_("There is no role %(role)s for a file.") % {"role": repr(role)})
    there = place or place_of(actor, campaign)
    added = {role: _resource(KINDS[role], file, actor, there).key for role, file in files.items()}
    return build_start(
        recipe=TEST_SETS.name,
        inputs={**inputs, **added},
        options=options,
        name=name,
        actor=actor,
        campaign=campaign,
        place=there,
    )


def test_set_import(
    *, campaign: Campaign, build: Build, actor: Actor, dry_run: bool = False
) -> ImportReport:
    """Import the items of a test set, as its file would be; how it was drawn is kept with the
    import. Raises Conflict if it is not there (any more). Callers check permission first."""
    shown = preview(build=build)
    path = None if build.resource is None else plain_file(resource=build.resource)
    if shown is None or path is None:
        raise Conflict(_("This test set is not there: build it again."))
    with path.open("rb") as stream:
        return items_import(
            campaign=campaign,
            stream=stream,
            name=f"{build.name.replace('/', '-')}.jsonl",
            actor=actor,
            format="jsonl",
            dry_run=dry_run,
            provenance=test_set_provenance(build=build, figures=shown.figures),
        )


def _resource(kind: str, file: UploadedFile, actor: Actor, place: Ownership) -> Resource:
    """The resource of an uploaded file, converted at once."""
    quota_check(actor=actor, model=Resource, most=settings.RESOURCES_PER_USER)
    name = Path(file.name or kind).name
    with tempfile.TemporaryDirectory(dir=settings.FILE_UPLOAD_TEMP_DIR) as folder:
        path = Path(folder) / f"{kind}.txt"
        with path.open("wb") as out:
            for chunk in file.chunks():
                out.write(chunk)
        try:
            return resource_add(kind=kind, path=path, name=name, actor=actor, place=place)
        except Invalid as refusal:
            raise Invalid(refusal.message.replace(str(path), name)) from refusal

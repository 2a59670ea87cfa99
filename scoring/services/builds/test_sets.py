"""Test sets: files for one, asking for it, and its import into a campaign."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, Ownership
from annotation.selectors.scope import place_of
from annotation.services.audit import Actor
from annotation.services.importing import ImportReport, items_import
from annotation.services.people.creators import quota_check
from scoring.models import Build, Resource
from scoring.selectors.built.test_sets import RECIPE, preview, provenance
from scoring.selectors.resources import plain_file
from scoring.services.builds.start import build_start
from scoring.services.resources.add import resource_add

MOST_BYTES = 10 * 2**20  # Of a file that is converted while its sender waits.
KINDS = {"sentences": "corpus", "phrases": "table"}  # Roles that take a file.


def test_set_start(
    *, campaign: Campaign, inputs: Mapping[str, UUID | str], files: Mapping[str, UploadedFile],
    options: Mapping[str, object], place: Ownership | None = None, name: str = "", actor: Actor,
) -> tuple[Build, bool]:  # fmt: skip
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
        recipe=RECIPE, inputs={**inputs, **added}, options=options, name=name, actor=actor,
        campaign=campaign, place=there,
    )  # fmt: skip


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
            campaign=campaign, stream=stream, name=f"{build.name.replace('/', '-')}.jsonl",
            actor=actor, format="jsonl", dry_run=dry_run,
            provenance=provenance(build=build, figures=shown.figures),
        )  # fmt: skip


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

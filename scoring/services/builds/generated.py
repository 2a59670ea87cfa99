"""Paraphrases by nearest words: asking for them, and importing them into a campaign."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, ImportJob, Ownership
from annotation.selectors.scope import place_of
from annotation.services.audit import Actor
from annotation.services.importing import ImportReport, items_import
from annotation.services.importing.jobs import has_many, import_order
from scoring.building.recipes.near_words import write_items
from scoring.metrics.files import sha256
from scoring.models import Build, Resource
from scoring.selectors.built.generated import (
    RECIPE,
    TEXT,
    generated,
    has_own_texts,
    provenance,
)
from scoring.services.builds.start import build_start
from scoring.services.resources.add import resource_upload

MOST_BYTES = 20 * 2**20  # Of a file that is sent with a form.
PLAIN_TEXT = (".txt", "")  # Endings of files with a text on each line.


def paraphrases_start(
    *, campaign: Campaign, inputs: Mapping[str, UUID | str], file: UploadedFile | None, own: bool,
    options: Mapping[str, object], place: Ownership | None = None, name: str = "", actor: Actor,
) -> tuple[Build, bool]:  # fmt: skip
    """Ask for PG1 to PG3 of the texts of a resource (`texts` in `inputs`), of a file, or with `own`
    of the campaign's originals. A file becomes a resource: a table, or a text on each line. File
    and result are in `place`, by default the campaign's.

    Returns the build, and whether it is new. Raises Invalid if not one of the three is given, for a
    file that is too large or wrong, and as `build_start`.
    """
    if own + (file is not None) + ("texts" in inputs) != 1:
        raise Invalid(_("Choose the texts: a table, a file, or those of this campaign."))
    sent = None
    if own:
        own_texts_check(campaign=campaign)
        options = {**options, "column": TEXT}
    elif file is not None:
        place = place or place_of(actor, campaign)
        sent, plain = texts_of_file(file=file, actor=actor, place=place)
        if plain:
            options = {**options, "column": TEXT}
    return build_start(
        recipe=RECIPE, inputs=inputs, options=options, name=name, actor=actor, sent=sent,
        campaign=campaign, own_texts=own, place=place,
    )  # fmt: skip


def own_texts_check(*, campaign: Campaign) -> None:
    """Raise Invalid if the campaign has no originals that are paraphrased as a whole."""
    if not has_own_texts(campaign=campaign):
        raise Invalid(
            _(
                "This campaign has no texts that are paraphrased as a whole: its items have "
                "phrases. Choose a table or a file."
            )
        )


def is_plain(*, file: UploadedFile) -> bool:
    """Whether its name says that it has a text on each line, and is no table."""
    return Path(file.name or "").suffix.lower() in PLAIN_TEXT


def texts_of_file(*, file: UploadedFile, actor: Actor, place: Ownership) -> tuple[Resource, bool]:
    """An uploaded table, or a text on each line, as a resource in that place that is still to be
    read; and whether it was the latter."""
    name = Path(file.name or "texts").name
    if (file.size or 0) > MOST_BYTES:
        raise Invalid(
            _("%(name)s is larger than %(most)s MB: add it on the page Resources.")
            % {"name": name, "most": MOST_BYTES // 2**20}
        )
    raw = b"".join(file.chunks())
    if not is_plain(file=file):
        return _resource(raw, name=name, actor=actor, place=place), False
    try:
        texts = raw.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise Invalid(_("%(name)s is not UTF-8: save it as UTF-8.") % {"name": name}) from error
    rows = [{TEXT: text} for text in texts if text.strip()]
    if not rows:
        raise Invalid(_("%(name)s has no text.") % {"name": name})
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return _resource(lines.encode(), name=name, actor=actor, place=place), True


def paraphrases_import(
    *, campaign: Campaign, build: Build, actor: Actor, dry_run: bool = False
) -> ImportReport | ImportJob | None:
    """Import what was generated as items, as their file would be; how it was made is kept. Items
    that are in the campaign already keep their attributes.

    A large file is left to a worker, and its job returned; a dry run of it gives None. Raises
    Conflict if it is not there (any more). Callers check permission first.
    """
    found = generated(build=build)
    if found is None:
        raise Conflict(_("These paraphrases are not there: generate them again."))
    # Stores of former versions have no file of items yet.
    path = found.items if found.items.exists() else write_items(found.items.parent)
    large = has_many(rows=found.rows, size=path.stat().st_size)
    if large and dry_run:
        return None
    about = provenance(build=build, found=found)
    name = f"{build.name.replace('/', '-')}.jsonl"
    with path.open("rb") as stream:
        if large:
            return import_order(
                campaign=campaign, what="items", stream=stream, name=name, actor=actor,
                total=found.rows, format="jsonl", provenance=about, keep=True,
            )  # fmt: skip
        return items_import(
            campaign=campaign, stream=stream, name=name, actor=actor, format="jsonl",
            dry_run=dry_run, provenance=about, keep=True,
        )  # fmt: skip


def _resource(raw: bytes, *, name: str, actor: Actor, place: Ownership) -> Resource:
    """The resource of a table, which the build's first stage reads, or a worker."""
    with tempfile.TemporaryDirectory(dir=settings.FILE_UPLOAD_TEMP_DIR) as folder:
        path = Path(folder) / "texts.txt"
        path.write_bytes(raw)
        resource, _asked = resource_upload(
            kind="texts", file=path, digest=sha256(path), file_name=name, actor=actor, place=place
        )
    return resource

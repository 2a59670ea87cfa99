"""A campaign's own texts as the input of a build: written by the process that builds, since a
large campaign takes seconds."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable

from django.db import IntegrityError

from annotation.models import Campaign
from annotation.services.transactions import short_write
from scoring.building.recipes.registry import recipe
from scoring.metrics.files import FileRefused
from scoring.models import Build, BuildInput, Resource
from scoring.models.build import TEXTS, build_digest
from scoring.selectors.built.generated import own_texts
from scoring.services.builds.start import build_made
from scoring.services.resources.add import resource_store

STAGE = "texts"
_WITH_OUTPUTS = ("extrinsic",)  # Recipes that take what systems made of the texts too.


def own_texts_write(*, build: Build, tell: Callable[[str, int, float], None]) -> Resource | None:
    """Write the texts of the build's campaign as its input, unless a process before this one has.

    Returns what was made of the same texts before, if that is still there. `tell` gets the stage,
    its number and share. Raises FileRefused if the texts are no table (they were removed, or their
    attributes repeat an id), and what `tell` raises.
    """
    campaign = build.campaign
    if campaign is None or not build.own_texts or build.inputs.filter(role=TEXTS).exists():
        return None
    tell(STAGE, 1, 0.0)
    texts = _written(build, campaign, lambda share: tell(STAGE, 1, share))
    stored = {one.role: one.resource.stored for one in build.inputs.all() if one.resource}
    found = recipe(build.recipe)
    signature = found.signature({**stored, TEXTS: texts.stored}, found.read(build.options))
    made = build_made(digest=build_digest(signature, build.place))
    _keep(build, texts, signature)
    return made.resource if made else None


def _written(build: Build, campaign: Campaign, progress: Callable[[float], None]) -> Resource:
    path = build.folder / f"{STAGE}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = own_texts(campaign=campaign, outputs=build.recipe in _WITH_OUTPUTS)
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    try:
        return resource_store(
            kind="texts", path=path, name=campaign.name, actor=build.created_by, place=build.place,
            progress=progress,
        )  # fmt: skip
    except FileRefused as refusal:
        raise refusal.named(str(path), campaign.name) from refusal
    finally:
        shutil.rmtree(build.folder, ignore_errors=True)


def _keep(build: Build, texts: Resource, signature: str) -> None:
    """The input, and from now on the signature of what is built of it."""
    build.signature = signature
    try:
        _store(build, texts, build_digest(signature, build.place))
    except IntegrityError:  # Another build of the same is active.
        _store(build, texts, build_digest(signature, build.place, str(build.key)))


def _store(build: Build, texts: Resource, digest: str) -> None:
    build.options_hash = digest
    with short_write():
        BuildInput.objects.create(build=build, role=TEXTS, resource=texts)
        build.save(update_fields=["signature", "options_hash"])

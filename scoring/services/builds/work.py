"""Builds: carrying them out, in a process of their own.

Safe to repeat and to kill: stages are renamed when they are whole, and so is the store.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

from django.conf import settings

from annotation.services.transactions import short_write
from paraanno.jobs.engine import Claim, Lost, all_work
from paraanno.plain.renaming import put_in_place
from paraanno.plain.sentence import SentenceError, say
from paraanno.plain.sentence_columns import columns
from scoring.building.recipes.recipe import BuildCancelled, Made, make
from scoring.building.recipes.registry import recipe
from scoring.jobs import BUILD
from scoring.metrics.resources.stores import ABOUT
from scoring.models import Build, Resource
from scoring.models.build import PLAIN
from scoring.services.builds.own_texts import own_texts_write
from scoring.services.builds.sent_texts import sent_texts_read
from scoring.services.resources.convert import FOLDER


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
        build.folder, build.options, cancelled=lambda: claim.lost,
        progress=lambda stage, number, share: tell(stage, ahead + number, share),
    )  # fmt: skip
    claim.check()
    return _kept(build, made)


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


def _kept(build: Build, made: Made) -> Resource:
    """Move the store to the resources, with the plain file in it, and return its row."""
    plain = made.store / f"{PLAIN}{made.plain.suffix}"
    if not plain.exists():
        os.link(made.plain, plain)
    about = json.loads((made.store / ABOUT).read_text(encoding="utf-8"))
    size, digest = plain.stat().st_size, str(about["sha256"])
    # Its own, not that of an upload of the same bytes: a store has files beside these.
    place = Path(FOLDER) / f"{made.kind}-{digest}-{build.options_hash}"
    whole = Path(settings.DATA_DIR) / place
    whole.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        put_in_place(made.store, whole)
    except OSError as error:
        # A process before this one was killed after this: the store is the same.
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
            raise
    ready = {
        "path": str(place), "meta": made.numbers, "status": Resource.Status.READY,
        "progress": 1.0, "worker": "", "token": "", **columns("error", ""), **build.place.binds(),
    }  # fmt: skip
    with short_write():
        there = Resource.objects.filter(build.place.within())
        resource, _made = there.update_or_create(
            kind=made.kind,
            sha256=digest,
            defaults=ready,
            create_defaults={
                **ready,
                **build.place.fields(),
                "name": build.name,
                "file_name": f"{made.kind}{plain.suffix}",
                "size": size,
                "created_by_id": build.created_by_id,
            },
        )
    return resource

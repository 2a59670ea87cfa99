"""Builds: carrying them out, in a process of their own.

Safe to repeat and to kill: stages are renamed when they are whole, and so is the store.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import shutil
import time
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError
from django.db.models import F
from django.db.models.functions import Now

from annotation.services.transactions import short_write
from paraanno.plain.renaming import put_in_place
from paraanno.plain.sentence import Sentence, changed, said, say
from paraanno.plain.sentence_columns import columns, told
from scoring.building.recipes.recipe import BuildCancelled, Made, make
from scoring.building.recipes.registry import recipe
from scoring.metrics.resources.stores import ABOUT
from scoring.models import Build, Resource
from scoring.models.build import PLAIN
from scoring.services.builds.own_texts import own_texts_write
from scoring.services.builds.sent_texts import sent_texts_read
from scoring.services.resources.convert import FOLDER, FULL, flush
from scoring.services.workers.heartbeats import process_name

logger = logging.getLogger(__name__)
TELL_SECONDS = 0.5


def builds_work() -> int:
    """Carry out the builds that wait, one after another; return how many were taken."""
    taken = 0
    while (build := _claimed()) is not None:
        _carry_out(build)
        taken += 1
    return taken


def _claimed() -> Build | None:
    waiting = Build.objects.filter(status=Build.Status.QUEUED).order_by("pk")
    for pk in waiting.values_list("pk", flat=True):
        with short_write():
            mine = Build.objects.filter(pk=pk, status=Build.Status.QUEUED).update(
                status=Build.Status.RUNNING, worker=process_name(), attempts=F("attempts") + 1,
                started_at=Now(),
            )  # fmt: skip
        if mine:
            return Build.objects.get(pk=pk)
    return None


def _carry_out(build: Build) -> None:
    tell = _Told(build)
    try:
        sent_texts_read(build=build, tell=tell)
        resource = own_texts_write(build=build, tell=tell) or _made(build, tell)
    except BuildCancelled:
        return
    except DatabaseError:
        raise  # The sweep requeues it: the build is not to blame.
    except Exception as error:
        logger.warning("%s failed", build, exc_info=error)
        _close(build, status=Build.Status.FAILED, **columns("error", _why(error)))
    else:
        _close(build, status=Build.Status.DONE, resource=resource, share=1.0)
    shutil.rmtree(build.folder, ignore_errors=True)


def _made(build: Build, tell: _Told) -> Resource:
    inputs = {one.role: one.resource for one in build.inputs.select_related("resource")}
    ahead = build.ahead
    made = make(
        recipe(build.recipe),
        {role: one.stored for role, one in inputs.items() if one is not None},
        build.folder, build.options, cancelled=lambda: tell.lost,
        progress=lambda stage, number, share: tell(stage, ahead + number, share),
    )  # fmt: skip
    return _kept(build, made)


class _TakesTooLong(ValueError):
    """A build has taken longer than PARAANNO_BUILD_MINUTES."""


class _Told:
    """Stores the stage and its share, at most twice a second, and learns so whether the build is
    still this process's own; and stops one that takes too long."""

    def __init__(self, build: Build) -> None:
        self._mine = Build.objects.filter(
            pk=build.pk, status=Build.Status.RUNNING, worker=process_name()
        )
        self._stage = ""
        self._furthest = build.number
        self._at = 0.0
        self._began = time.monotonic()
        self.lost = False

    def __call__(self, stage: str, number: int, share: float) -> None:
        if stage == self._stage and time.monotonic() - self._at < TELL_SECONDS:
            return
        share = min(max(share, 0.0), 1.0)
        changes: dict[str, object] = {"stage": stage, "number": number, "share": share}
        if number > self._furthest:
            # It got further than before: what ended its processes was not this stage.
            changes["attempts"], self._furthest = 1, number
        with short_write():
            self.lost = not self._mine.update(**changes)
        if self.lost:
            raise BuildCancelled
        if time.monotonic() - self._began > settings.BUILD_MINUTES * 60:
            raise _TakesTooLong(
                say(
                    "It took longer than %(n)s minutes: use a smaller input, or ask an "
                    "administrator, who can raise PARAANNO_BUILD_MINUTES.",
                    n=settings.BUILD_MINUTES,
                )
            )
        self._stage, self._at = stage, time.monotonic()


def _kept(build: Build, made: Made) -> Resource:
    """Move the store to the resources, with the plain file in it, and return its row."""
    plain = made.store / f"{PLAIN}{made.plain.suffix}"
    if not plain.exists():
        os.link(made.plain, plain)
    flush(made.store)
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
        "progress": 1.0, "worker": "", **columns("error", ""), **build.place.binds(),
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


def _why(error: Exception) -> str:
    """The error message, without paths of the server."""
    if isinstance(error, OSError) and error.errno in FULL:
        return say("The server’s disk is full: free some space, then build it again.")
    if isinstance(error, MemoryError):
        return say("The build needs more memory than there is: use a smaller input.")
    # Our own sentences are for users; other errors are reported with their type.
    ours = isinstance(error, ValueError) and isinstance(said(error), Sentence)
    reason = said(error) if ours else told(error)
    return changed(reason, lambda text: text.replace(f"{settings.DATA_DIR}/", ""))


def _close(build: Build, **changes: object) -> None:
    """End a build that this process still claims."""
    with short_write():
        Build.objects.filter(
            pk=build.pk, status=Build.Status.RUNNING, worker=process_name()
        ).update(worker="", finished_at=Now(), **changes)

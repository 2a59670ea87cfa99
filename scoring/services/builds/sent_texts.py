"""A file that was sent as the texts of a build: read by the process that builds, or by a worker,
whichever is free first."""

from __future__ import annotations

import time
from collections.abc import Callable

from paraanno.jobs.engine import job_work
from paraanno.plain.sentence import joined
from scoring.jobs import RESOURCE
from scoring.metrics.files import FileRefused
from scoring.models import Build, Resource
from scoring.models.build import TEXTS
from scoring.services.builds.own_texts import STAGE

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
        found = Resource.objects.filter(pk=sent).first()
        if found is None or found.status == Resource.Status.READY:
            return
        if found.status == Resource.Status.REFUSED:
            raise FileRefused(joined("\n", [found.said]))
        time.sleep(LOOK_SECONDS)

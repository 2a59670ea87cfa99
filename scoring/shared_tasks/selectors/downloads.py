"""Files for participants, and everything for everybody after publishing."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

from django.utils.translation import gettext as _

from annotation.errors import Conflict, NotFound
from scoring.shared_tasks.models import SharedTask, TaskFile
from scoring.shared_tasks.selectors.files import file_bytes

STARTER = "starter.py"


def visible_files(*, task: SharedTask) -> list[TaskFile]:
    """The files that participants may have, without their contents."""
    rows = TaskFile.objects.filter(task=task).exclude(role__in=TaskFile.SECRET)
    return list(rows.select_related("track").order_by("track__position", "name"))


def file_get(*, task: SharedTask, key: UUID) -> TaskFile:
    """A file that participants may have, with its content. Raises NotFound."""
    rows = TaskFile.objects.filter(task=task, key=key).exclude(role__in=TaskFile.SECRET)
    found = rows.select_related("content", "track").first()
    if found is None:
        raise NotFound(_("There is no such file."))
    return found


def starter_script() -> bytes:
    """A script that makes a valid submission; nothing but Python is needed to run it."""
    return Path(__file__).parent.parent.joinpath("participant", STARTER).read_bytes()


def participant_files(*, task: SharedTask) -> dict[str, bytes]:
    """All that participants get, by path: those of one track are in its folder.

    Where there is one track, its files are at the top too. Raises Conflict before freezing.
    """
    if task.state == SharedTask.State.DRAFT:
        raise Conflict(_("The task is not frozen: there are no files yet."))
    rows = TaskFile.objects.filter(task=task).exclude(role__in=TaskFile.SECRET)
    single = task.tracks.count() == 1
    found: dict[str, bytes] = {}
    for file in rows.select_related("content", "track").order_by("track__position", "name"):
        data = file_bytes(file)
        if file.track is None or single:
            found[file.name] = data
        if file.track is not None:
            found[f"{file.track.name}/{file.name}"] = data
    return {**found, STARTER: starter_script()}

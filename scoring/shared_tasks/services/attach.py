"""Files that an organiser adds for participants: parses, n-best lists, training data."""

from __future__ import annotations

from pathlib import PurePath
from typing import BinaryIO

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from scoring.shared_tasks.models import SharedTask, TaskFile, Track
from scoring.shared_tasks.services.contents import file_add
from scoring.stats.shared_tasks.submissions import MOST_BYTES

MOST_FILES = 50


def file_attach(
    *, task: SharedTask, role: str, track: Track | None, name: str, stream: BinaryIO, actor: Actor
) -> TaskFile:
    """Add a file as it is; it is never read but for baselines. Raises Invalid or Conflict.

    Before freezing only, so that nobody works with other files than others.
    """
    if role not in TaskFile.ADDED:
        raise Invalid(_("Such a file is made when the task is frozen."))
    name = PurePath(name).name.strip()[:100]
    if not name or not name.isprintable() or (name.endswith(".tsv") and _taken(name)):
        raise Invalid(_("Give the file another name."))
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES or not data:
        raise Invalid(_("A file has from 1 byte to 20 MB."))
    try:
        with short_write():
            # Freezing waits for this row, or this transaction for freezing.
            now = SharedTask.objects.select_for_update().get(pk=task.pk)
            if now.state != SharedTask.State.DRAFT:
                raise Conflict(_("The task is frozen: its files stay as they are."))
            if TaskFile.objects.filter(task=task).count() >= MOST_FILES:
                raise Conflict(_("A task has at most %(most)s files.") % {"most": MOST_FILES})
            file = file_add(task=task, role=role, name=name, data=data, track=track)
            audit(actor=actor, verb="add task file", about=file, campaign=task.campaign, file=name)
    except IntegrityError as error:
        raise Conflict(_("There is a file %(name)s already.") % {"name": name}) from error
    return file


def _taken(name: str) -> bool:
    return name in ("texts.tsv", "pairs.tsv", "originals.tsv", "references.tsv")

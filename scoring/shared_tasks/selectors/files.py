"""The bytes of files, and what is read from them."""

from __future__ import annotations

import zlib
from functools import lru_cache

from scoring.shared_tasks.models import Content, SharedTask, TaskFile
from scoring.stats.shared_tasks.frozen import Frozen

KEPT = 4  # Frozen tasks that a process keeps: the test of ParaBank takes 20 MB.


def file_bytes(file: TaskFile) -> bytes:
    """The content of a file; one query."""
    return content_data(file.content)


def content_data(content: Content) -> bytes:
    """The bytes that were packed."""
    return zlib.decompress(bytes(content.packed))


def frozen_get(*, task: SharedTask) -> Frozen:
    """Gold, split and ids of a frozen task. Callers are services: no page shows it."""
    file = TaskFile.objects.get(task=task, role=TaskFile.Role.FROZEN)
    return _frozen(file.sha256, file.pk)


@lru_cache(maxsize=KEPT)
def _frozen(sha256: str, pk: int) -> Frozen:
    file = TaskFile.objects.select_related("content").get(pk=pk, sha256=sha256)
    return Frozen.from_bytes(file_bytes(file))

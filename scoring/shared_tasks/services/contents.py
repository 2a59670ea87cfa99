"""Files as rows: packed, and read back."""

from __future__ import annotations

import hashlib
import zlib

import numpy as np

from scoring.shared_tasks.models import Content, SharedTask, TaskFile, Track
from scoring.stats.table import FloatArray


def packed_of(data: bytes) -> bytes:
    """Bytes as they are stored. Large ones take a second, so pack them before the transaction."""
    return zlib.compress(data, 6)


def content_add(packed: bytes) -> Content:
    """Store packed bytes. Called in the transaction of the row that they belong to."""
    return Content.objects.create(packed=packed)


def file_add(
    *, task: SharedTask, role: str, name: str, data: bytes, track: Track | None = None
) -> TaskFile:
    """Add a file of a task. Called in the transaction of the change."""
    return TaskFile.objects.create(
        task=task, track=track, role=role, name=name, size=len(data),
        sha256=hashlib.sha256(data).hexdigest(), content=content_add(packed_of(data)),
    )  # fmt: skip


def numbers_packed(values: FloatArray) -> bytes:
    """Directions or scores, as a submission keeps them."""
    return np.ascontiguousarray(values, dtype="<f8").tobytes()

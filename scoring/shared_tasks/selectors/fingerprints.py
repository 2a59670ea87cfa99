"""The fingerprint of a frozen task."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from scoring.shared_tasks.models import SharedTask, TaskFile

FROZEN = TaskFile.Role.FROZEN


def fingerprint_of(digests: Mapping[str, str]) -> str:
    """One digest of files by their names."""
    lines = "".join(f"{name} {digests[name]}\n" for name in sorted(digests))
    return hashlib.sha256(lines.encode()).hexdigest()


def task_fingerprint(*, task: SharedTask) -> str:
    """The fingerprint from the digests of the files that freezing made; one query."""
    rows = TaskFile.objects.filter(task=task).exclude(role__in=TaskFile.BESIDE)
    return fingerprint_of(
        {
            "frozen" if role == FROZEN else name: digest
            for role, name, digest in rows.values_list("role", "name", "sha256")
        }
    )

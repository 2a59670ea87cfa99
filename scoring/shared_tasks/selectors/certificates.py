"""Certificates of results: what a board says about a submission, with a fingerprint of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from annotation.errors import NotFound
from scoring.shared_tasks.models import SharedTask, Submission, Team

SAID = (
    "value", "strict", "half", "ci_low", "ci_high", "rank_low", "rank_high", "group", "pairs",
)  # fmt: skip


def certificate_of(*, task: SharedTask, row: Mapping[str, Any]) -> dict[str, Any]:
    """The result of a row of the final board, with `fingerprint`."""
    found: dict[str, Any] = {
        "task": task.slug,
        "task_fingerprint": task.fingerprint,
        "team": row["team"],
        "submission": row["submission"],
        "sha256": row["sha256"],
        **{name: row.get(name) for name in SAID},
    }
    return {**found, "fingerprint": fingerprint(found)}


def fingerprint(certificate: Mapping[str, Any]) -> str:
    """The SHA-256 of what a certificate says: keys sorted, numbers as JSON writes them."""
    said = {name: value for name, value in certificate.items() if name != "fingerprint"}
    text = json.dumps(said, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def certificate_get(*, task: SharedTask, team: Team | None, key: UUID) -> dict[str, Any]:
    """The certificate of a submission: everybody's once the task is published, a team's own once
    it is closed. Raises NotFound."""
    rows = Submission.objects.filter(track__task=task, key=key, final__isnull=False)
    if task.state != SharedTask.State.PUBLISHED:
        rows = rows.filter(team=team) if task.over and team is not None else rows.none()
    one = rows.first()
    if one is None:
        raise NotFound(_("There is no such certificate."))
    return dict(one.final)

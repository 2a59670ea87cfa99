"""What is made of judgments, when a person is erased: files of exports, reports with codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from django.db import transaction

from annotation.models import Campaign
from scoring.models import ExportFile, Report


def derived_erase(campaigns: Sequence[Campaign], removed: Sequence[Campaign]) -> None:
    """Delete all files of exports of the campaigns, and the reports where judgments went. Called
    in the transaction; a worker that is writing such a file finds its row gone."""
    rows = ExportFile.objects.filter(campaign__in=campaigns)
    paths = [file.stored for file in rows if file.path and file.removed_at is None]
    rows.delete()
    Report.objects.filter(campaign__in=removed).delete()
    transaction.on_commit(lambda: _unlink(paths))


def _unlink(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)

"""Large files that workers import."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from annotation.models import Campaign, ColumnMapping, ImportBatch, ImportJob
from annotation.selectors.access import get_in

SHOWN = 10


def import_job_get(*, campaign: Campaign, key: UUID) -> ImportJob:
    """Return a job of the campaign; NotFound if it has none with this key."""
    return get_in(campaign, ImportJob, key)


def import_batch_get(*, campaign: Campaign, key: UUID) -> ImportBatch:
    """Return an import of the campaign; NotFound if it has none with this key."""
    return get_in(campaign, ImportBatch, key)


def mapping_get(*, campaign: Campaign, key: UUID) -> ColumnMapping:
    """Return a mapping kept with the campaign; NotFound if it has none with this key."""
    return get_in(campaign, ColumnMapping, key)


def mappings(*, campaign: Campaign, what: str | None = None) -> QuerySet[ColumnMapping]:
    """Return the mappings kept with the campaign, newest first."""
    rows = campaign.column_mappings.select_related("created_by")
    return rows.filter(what=what) if what else rows


def scales_of(campaign: Campaign) -> list[str]:
    """Return the names of the campaign's scales."""
    return list(campaign.scales.values_list("name", flat=True))


def import_jobs(*, campaign: Campaign) -> QuerySet[ImportJob]:
    """Return the newest jobs of the campaign."""
    return campaign.import_jobs.select_related("created_by")[:SHOWN]


def ended_report(job: ImportJob) -> dict[str, Any] | None:
    """Return the report of a job that has ended, with sentences; None before that.

    A job that failed without one gets a report whose one problem is the error.
    """
    if job.active:
        return None
    if job.report is not None:
        return job.told
    problem = {
        "file": job.file_name, "line": 1, "column": None, "severity": "error", "message": job.said,
    }  # fmt: skip
    return {
        "ok": False, "dry_run": job.dry_run, "rows": 0, "counts": {}, "problems": [problem],
        "batch": None,
    }  # fmt: skip

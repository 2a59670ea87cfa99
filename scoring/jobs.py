"""The kinds of jobs of this app."""

from __future__ import annotations

from functools import partial
from operator import attrgetter

from paraanno.common.lazy_import import late
from paraanno.jobs.engine import Kind, nothing, reason_of_file
from scoring.metrics.registry import printed
from scoring.models import Build, ExportFile, Report, Resource, RestoreJob, Run, RunChunk

_EXPORTS = "scoring.exports.services"
_REPORTS = "scoring.reports.compute"
_RESTORES = "scoring.archives.services"
_BUILDS = "scoring.builds.work"
_CONVERT = "scoring.resources.convert"

# Files that only who may keep everything can order.
WRITERS = {
    "archive": late("scoring.archives.services:archive_write"),
    "package": late("scoring.exports.package:package_write"),
}

_notify = late("scoring.work.workers:notify_workers")

EXPORT = Kind(
    name="export",
    model=ExportFile,
    hears=True,
    work=late(f"{_EXPORTS}:export_work"),
    clean=late(f"{_EXPORTS}:export_forget"),
    tend=late("scoring.work.expiry:exports_expire"),
    title=attrgetter("what"),
    called=lambda row: row.what if row.what in ExportFile.WHOLE else "export",
)
REPORT = Kind(
    name="report",
    model=Report,
    hears=True,
    work=late(f"{_REPORTS}:report_work"),
    clean=late(f"{_REPORTS}:reports_forget"),
    title=attrgetter("kind"),
    large=("result",),
)
RESTORE = Kind(
    name="restore",
    model=RestoreJob,
    work=late(f"{_RESTORES}:restore_work"),
    why=reason_of_file,
    clean=late(f"{_RESTORES}:restore_forget"),
    tend=late("scoring.work.expiry:restores_expire"),
    title=attrgetter("file_name"),
    personal=True,
    repeatable=attrgetter("path"),
)
BUILD = Kind(
    name="build",
    model=Build,
    work=late(f"{_BUILDS}:build_work"),
    clean=late(f"{_BUILDS}:build_forget"),
    wake=partial(_notify, "scoring.tasks.builds_begin"),
    personal=True,
    cancel=late("scoring.builds.services:build_cancel"),
    related=("inputs",),
)
RESOURCE = Kind(
    name="resource",
    model=Resource,
    work=late(f"{_CONVERT}:resource_work"),
    wake=partial(_notify, "scoring.tasks.files_begin"),
    why=late(f"{_CONVERT}:resource_why"),
    clean=late(f"{_CONVERT}:resource_over"),
    tend=late("scoring.resources.services:resources_expire"),
    cancel=late("scoring.resources.services:resource_remove"),
    queued="checking",
    running="checking",
    done="ready",
    failed="refused",
    cancelled="",
    personal=True,
    repeatable=lambda row: False,
    large=("meta",),
)
# Its job is to prepare the metric; chunks follow.
RUN = Kind(
    name="run",
    model=Run,
    work=late("scoring.runs.work:run_prepare"),
    why=late("scoring.runs.work:run_why"),
    wake=late("scoring.runs.store:run_wake"),
    goes_on=True,
    cancel=late("scoring.runs.start:run_cancel"),
    again=late("scoring.runs.start:run_retry"),
    attempts=3,
    running="preparing",
    done="running",
    title=lambda row: printed(row.label),
    repeatable=lambda row: not row.imported,
    large=("state",),
)
# After `WHOLE_CHUNK_ATTEMPTS` (scoring/runs/store.py) text by text: each of the others names
# one text that ends processes, and goes on.
CHUNK = Kind(
    name="chunk",
    model=RunChunk,
    work=nothing,
    wake=late("scoring.runs.store:chunk_wake"),
    attempts=20,
    goes_on=True,
    blameless={"suspect": None},
    campaign="run__campaign",
    who="run__created_by",
)
KINDS = (EXPORT, REPORT, RESTORE, BUILD, RESOURCE, RUN, CHUNK)

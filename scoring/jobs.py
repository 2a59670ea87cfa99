"""The kinds of jobs of this app."""

from __future__ import annotations

from functools import partial
from operator import attrgetter

from paraanno.jobs.kinds import Kind, nothing
from paraanno.jobs.reasons import reason_of_file
from paraanno.plain.late import late
from scoring.models import Build, ExportFile, Report, Resource, RestoreJob, Run, RunChunk
from scoring.selectors.archives.files import WHOLE

_EXPORTS = "scoring.services.reports.exports"
_REPORTS = "scoring.services.reports.compute"
_RESTORES = "scoring.services.archives.jobs"
_BUILDS = "scoring.services.builds.work"
_CONVERT = "scoring.services.resources.convert"
_RUNS = "scoring.services.runs"
_notify = late("scoring.services.workers.notify:notify_workers")

EXPORT = Kind(
    name="export", model=ExportFile, hears=True, work=late(f"{_EXPORTS}:export_work"),
    clean=late(f"{_EXPORTS}:export_forget"),
    tend=late("scoring.services.reports.expiry:exports_expire"), title=attrgetter("what"),
    called=lambda row: row.what if row.what in WHOLE else "export",
)  # fmt: skip
REPORT = Kind(
    name="report", model=Report, hears=True, work=late(f"{_REPORTS}:report_work"),
    clean=late(f"{_REPORTS}:reports_forget"), title=attrgetter("kind"), large=("result",),
)  # fmt: skip
RESTORE = Kind(
    name="restore", model=RestoreJob, work=late(f"{_RESTORES}:restore_work"),
    why=reason_of_file, clean=late(f"{_RESTORES}:restore_forget"),
    tend=late(f"{_RESTORES}:restores_expire"), title=attrgetter("file_name"), personal=True,
    repeatable=attrgetter("path"),
)  # fmt: skip
BUILD = Kind(
    name="build", model=Build, work=late(f"{_BUILDS}:build_work"),
    clean=late(f"{_BUILDS}:build_forget"), wake=partial(_notify, "scoring.tasks.builds_begin"),
    personal=True, cancel=late("scoring.services.builds.start:build_cancel"), related=("inputs",),
)  # fmt: skip
RESOURCE = Kind(
    name="resource", model=Resource, work=late(f"{_CONVERT}:resource_work"),
    wake=partial(_notify, "scoring.tasks.files_begin"),
    why=late(f"{_CONVERT}:resource_why"), clean=late(f"{_CONVERT}:resource_over"),
    tend=late("scoring.services.resources.remove:resources_expire"),
    cancel=late("scoring.services.resources.remove:resource_remove"),
    queued="checking", running="checking", done="ready", failed="refused", cancelled="",
    personal=True, repeatable=lambda row: False, large=("meta",),
)  # fmt: skip
# Its job is to prepare the metric; chunks follow.
RUN = Kind(
    name="run", model=Run, work=late(f"{_RUNS}.work:run_prepare"),
    why=late(f"{_RUNS}.work:run_why"), wake=late(f"{_RUNS}.plan:run_wake"), goes_on=True,
    cancel=late(f"{_RUNS}.start:run_cancel"), again=late(f"{_RUNS}.start:run_retry"),
    running="preparing", done="running",
    title=attrgetter("label"), repeatable=lambda row: not row.imported, large=("state",),
)  # fmt: skip
# From the fourth attempt text by text: each names one text that ends processes, and goes on.
CHUNK = Kind(
    name="chunk", model=RunChunk, work=nothing, wake=late(f"{_RUNS}.plan:chunk_wake"),
    attempts=20, goes_on=True,
    blameless={"suspect": None}, campaign="run__campaign", who="run__created_by",
)  # fmt: skip
KINDS = (EXPORT, REPORT, RESTORE, BUILD, RESOURCE, RUN, CHUNK)

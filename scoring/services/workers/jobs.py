"""Jobs of workers that are one row each."""

from __future__ import annotations

from django.db import models

from annotation.models import ImportJob
from scoring.models import Build, ExportFile, Report, RestoreJob

# Their tasks by name: what runs them takes long to load. Apps add theirs when they start.
JOBS: dict[type[models.Model], str] = {
    Report: "scoring.tasks.report_make",
    ExportFile: "scoring.tasks.export_make",
    Build: "scoring.tasks.builds_begin",
    ImportJob: "annotation.tasks.import_make",
    RestoreJob: "scoring.tasks.restore_make",
}

"""URLs of the analysis API."""

from __future__ import annotations

from django.urls import path

from scoring.archives import api
from scoring.builds import api as builds_api
from scoring.exports import api as exports_api
from scoring.resources import api as resources_api
from scoring.runs import api as runs_api
from scoring.work import views as work_api

C = "campaigns/<slug:slug>"
urlpatterns = [
    path("resources", resources_api.ResourcesRoute.as_view(), name="api-resources"),
    path("resources/<uuid:key>", resources_api.OneResourceRoute.as_view(), name="api-resource"),
    path(
        "resources/<uuid:key>/file",
        resources_api.ResourceFileRoute.as_view(),
        name="api-resource-file",
    ),
    path("jobs", work_api.JobsRoute.as_view(), name="api-jobs"),
    path(
        "jobs/<str:kind>/<str:key>/cancel", work_api.CancelJobRoute.as_view(), name="api-job-cancel"
    ),
    path("jobs/<str:kind>/<str:key>/again", work_api.JobAgainRoute.as_view(), name="api-job-again"),
    path("builds", builds_api.BuildsRoute.as_view(), name="api-builds"),
    path("builds/<uuid:key>", builds_api.OneBuildRoute.as_view(), name="api-build"),
    path(f"{C}/runs", runs_api.RunsRoute.as_view(), name="api-runs"),
    path(f"{C}/runs/<uuid:key>", runs_api.OneRunRoute.as_view(), name="api-run"),
    path(f"{C}/runs/<uuid:key>/scores", runs_api.ScoresRoute.as_view(), name="api-scores"),
    path(
        f"{C}/runs/<uuid:key>/systems",
        runs_api.SystemScoresRoute.as_view(),
        name="api-system-scores",
    ),
    path(f"{C}/runs/<uuid:key>/cancel", runs_api.CancelRunRoute.as_view(), name="api-run-cancel"),
    path(f"{C}/runs/<uuid:key>/retry", runs_api.RetryRunRoute.as_view(), name="api-run-retry"),
    path(f"{C}/runs/<uuid:key>/update", runs_api.UpdateRunRoute.as_view(), name="api-run-update"),
    path(f"{C}/imports/scores", runs_api.ImportScoresRoute.as_view(), name="api-import-scores"),
    path(f"{C}/imports/built", builds_api.ImportBuiltRoute.as_view(), name="api-import-built"),
    path(f"{C}/reports/<str:kind>", exports_api.OneReportRoute.as_view(), name="api-report"),
    path(f"{C}/reviewer", exports_api.ReviewerRoute.as_view(), name="api-reviewer"),
    path("restores", api.RestoresRoute.as_view(), name="api-restores"),
    path("restores/<uuid:key>", api.OneRestoreRoute.as_view(), name="api-restore"),
    path(f"{C}/archives", api.ArchivesRoute.as_view(), name="api-archives"),
    path(f"{C}/archives/<uuid:key>", api.OneArchiveRoute.as_view(), name="api-archive"),
    path(
        f"{C}/archives/<uuid:key>/file",
        api.ArchiveContentRoute.as_view(),
        name="api-archive-file",
    ),
    path(f"{C}/archive-away", api.AwayRoute.as_view(), name="api-archive-away"),
    path(f"{C}/delete", api.DeleteCampaignRoute.as_view(), name="api-campaign-delete"),
    path(f"{C}/exports", exports_api.ExportsRoute.as_view(), name="api-exports"),
    path(f"{C}/exports/<uuid:key>", exports_api.OneExportRoute.as_view(), name="api-export"),
    path(
        f"{C}/exports/<uuid:key>/file",
        exports_api.ExportContentRoute.as_view(),
        name="api-export-file",
    ),
]

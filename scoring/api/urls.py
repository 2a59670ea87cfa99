"""URLs of the analysis API."""

from django.urls import path

from scoring.api import archives, builds, jobs, reports, resources, routes, scores

C = "campaigns/<slug:slug>"
urlpatterns = [
    path("resources", resources.ResourcesRoute.as_view(), name="api-resources"),
    path("resources/<uuid:key>", resources.OneResourceRoute.as_view(), name="api-resource"),
    path("jobs", jobs.JobsRoute.as_view(), name="api-jobs"),
    path("jobs/<str:kind>/<str:key>/cancel", jobs.CancelJobRoute.as_view(), name="api-job-cancel"),
    path("jobs/<str:kind>/<str:key>/again", jobs.JobAgainRoute.as_view(), name="api-job-again"),
    path("builds", builds.BuildsRoute.as_view(), name="api-builds"),
    path("builds/<uuid:key>", builds.OneBuildRoute.as_view(), name="api-build"),
    path(f"{C}/runs", routes.RunsRoute.as_view(), name="api-runs"),
    path(f"{C}/runs/<uuid:key>", routes.OneRunRoute.as_view(), name="api-run"),
    path(f"{C}/runs/<uuid:key>/scores", routes.ScoresRoute.as_view(), name="api-scores"),
    path(
        f"{C}/runs/<uuid:key>/systems", routes.SystemScoresRoute.as_view(), name="api-system-scores"
    ),
    path(f"{C}/runs/<uuid:key>/cancel", routes.CancelRunRoute.as_view(), name="api-run-cancel"),
    path(f"{C}/runs/<uuid:key>/retry", routes.RetryRunRoute.as_view(), name="api-run-retry"),
    path(f"{C}/runs/<uuid:key>/update", routes.UpdateRunRoute.as_view(), name="api-run-update"),
    path(f"{C}/imports/scores", scores.ImportScoresRoute.as_view(), name="api-import-scores"),
    path(f"{C}/imports/built", builds.ImportBuiltRoute.as_view(), name="api-import-built"),
    path(f"{C}/reports/<str:kind>", reports.OneReportRoute.as_view(), name="api-report"),
    path("restores", archives.RestoresRoute.as_view(), name="api-restores"),
    path("restores/<uuid:key>", archives.OneRestoreRoute.as_view(), name="api-restore"),
    path(f"{C}/archives", archives.ArchivesRoute.as_view(), name="api-archives"),
    path(f"{C}/archives/<uuid:key>", archives.OneArchiveRoute.as_view(), name="api-archive"),
    path(
        f"{C}/archives/<uuid:key>/file",
        archives.ArchiveContentRoute.as_view(),
        name="api-archive-file",
    ),
    path(f"{C}/archive-away", archives.AwayRoute.as_view(), name="api-archive-away"),
    path(f"{C}/delete", archives.DeleteCampaignRoute.as_view(), name="api-campaign-delete"),
    path(f"{C}/exports", routes.ExportsRoute.as_view(), name="api-exports"),
    path(f"{C}/exports/<uuid:key>", routes.OneExportRoute.as_view(), name="api-export"),
    path(
        f"{C}/exports/<uuid:key>/file", routes.ExportContentRoute.as_view(), name="api-export-file"
    ),
]

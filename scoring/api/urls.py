"""URLs of the analysis API."""

from django.urls import path

from scoring.api import builds, reports, resources, routes, scores

C = "campaigns/<slug:slug>"
urlpatterns = [
    path("resources", resources.ResourcesRoute.as_view(), name="api-resources"),
    path("resources/<uuid:key>", resources.OneResourceRoute.as_view(), name="api-resource"),
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
    path(f"{C}/reports/<str:kind>", reports.OneReportRoute.as_view(), name="api-report"),
    path(f"{C}/exports", routes.ExportsRoute.as_view(), name="api-exports"),
    path(f"{C}/exports/<uuid:key>", routes.OneExportRoute.as_view(), name="api-export"),
    path(
        f"{C}/exports/<uuid:key>/file", routes.ExportContentRoute.as_view(), name="api-export-file"
    ),
]

"""Addresses of the API of analysis."""

from django.urls import path

from scoring.api import resources, routes, scores

C = "campaigns/<slug:slug>"
urlpatterns = [
    path("resources", resources.Resources.as_view(), name="api-resources"),
    path("resources/<uuid:key>", resources.OneResource.as_view(), name="api-resource"),
    path(f"{C}/runs", routes.Runs.as_view(), name="api-runs"),
    path(f"{C}/runs/<uuid:key>", routes.OneRun.as_view(), name="api-run"),
    path(f"{C}/runs/<uuid:key>/scores", routes.Scores.as_view(), name="api-scores"),
    path(f"{C}/runs/<uuid:key>/systems", routes.SystemScores.as_view(), name="api-system-scores"),
    path(f"{C}/runs/<uuid:key>/cancel", routes.CancelRun.as_view(), name="api-run-cancel"),
    path(f"{C}/runs/<uuid:key>/retry", routes.RetryRun.as_view(), name="api-run-retry"),
    path(f"{C}/runs/<uuid:key>/update", routes.UpdateRun.as_view(), name="api-run-update"),
    path(f"{C}/imports/scores", scores.ImportScores.as_view(), name="api-import-scores"),
    path(f"{C}/reports/<str:kind>", routes.OneReport.as_view(), name="api-report"),
    path(f"{C}/exports", routes.Exports.as_view(), name="api-exports"),
    path(f"{C}/exports/<uuid:key>", routes.OneExport.as_view(), name="api-export"),
    path(f"{C}/exports/<uuid:key>/file", routes.ExportContent.as_view(), name="api-export-file"),
]

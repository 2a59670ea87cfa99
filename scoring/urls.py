"""Addresses of the pages of analysis."""

from django.urls import path

from scoring.views import (
    agreement,
    annotators,
    compare,
    correlation,
    exports,
    gold,
    items,
    overview,
    ratings,
    results,
    runs,
)

urlpatterns = [
    path("overview/", overview.overview, name="overview"),
    path("worker-status/", runs.worker_banner, name="worker-status"),
    path("c/<slug:slug>/items/", items.items, name="items"),
    path("c/<slug:slug>/items/<uuid:key>/", items.item_page, name="item"),
    path("c/<slug:slug>/agreement/", agreement.agreement, name="agreement"),
    path("c/<slug:slug>/agreement/ratings/", ratings.ratings, name="ratings"),
    path("c/<slug:slug>/agreement/compare/", compare.compare, name="compare"),
    path("c/<slug:slug>/agreement/influence/", agreement.influence, name="influence"),
    path("c/<slug:slug>/annotators/", annotators.annotators, name="annotators"),
    path("c/<slug:slug>/annotators/<uuid:voice>/", annotators.annotator, name="annotator"),
    path("c/<slug:slug>/results/", results.results, name="results"),
    path("c/<slug:slug>/gold/", gold.gold_page, name="gold"),
    path("c/<slug:slug>/runs/", runs.runs, name="runs"),
    path("c/<slug:slug>/runs/list/", runs.runs_fragment, name="runs-list"),
    path("c/<slug:slug>/runs/<uuid:key>/", runs.run_page, name="run"),
    path("c/<slug:slug>/runs/<uuid:key>/cancel/", runs.cancel, name="run-cancel"),
    path("c/<slug:slug>/runs/<uuid:key>/retry/", runs.retry, name="run-retry"),
    path("c/<slug:slug>/correlation/", correlation.correlation, name="correlation"),
    path("c/<slug:slug>/correlation/figure/", correlation.figure, name="figure"),
    path("c/<slug:slug>/exports/", exports.exports, name="exports"),
    path("c/<slug:slug>/exports/new/", exports.export_new, name="export-new"),
    path("c/<slug:slug>/exports/list/", exports.export_files, name="exports-list"),
    path("c/<slug:slug>/exports/<uuid:key>/", exports.export_file, name="export-file"),
]

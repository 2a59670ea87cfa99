"""URLs of the pages of analysis."""

from django.urls import path

from scoring.views import annotators, exports, gold, items, overview, results, test_sets
from scoring.views.agreement import agreement, compare, ratings
from scoring.views.correlation import figures, mixes, one_metric
from scoring.views.correlation import metrics as correlation
from scoring.views.correlation import report as correlation_report
from scoring.views.correlation import systems_stability_ranking as more
from scoring.views.runs import builds, metrics, resources, runs, scores_import

urlpatterns = [
    path("overview/", overview.overview, name="overview"),
    path("resources/", resources.resources, name="resources"),
    path("resources/<uuid:key>/", resources.resource, name="resource"),
    path("resources/<uuid:key>/file/", builds.download, name="resource-file"),
    path("builds/", builds.start, name="build-start"),
    path("builds/<uuid:key>/", builds.build, name="build"),
    path("builds/<uuid:key>/cancel/", builds.cancel, name="build-cancel"),
    path("resources/<uuid:key>/remove/", resources.remove, name="resource-remove"),
    path("metrics/", metrics.metrics, name="metrics"),
    path("metrics/<str:metric>/", metrics.metric, name="metric"),
    path("worker-status/", runs.worker_banner, name="worker-status"),
    path("c/<slug:slug>/import/test-set/", test_sets.test_set, name="test-set"),
    path(
        "c/<slug:slug>/import/test-set/<uuid:key>/",
        test_sets.test_set_build,
        name="test-set-build",
    ),
    path("c/<slug:slug>/items/", items.items, name="items"),
    path("c/<slug:slug>/items/<uuid:key>/", items.item_page, name="item"),
    path("c/<slug:slug>/agreement/", agreement.agreement, name="agreement"),
    path("c/<slug:slug>/agreement/ratings/", ratings.ratings, name="ratings"),
    path("c/<slug:slug>/agreement/compare/", compare.compare, name="compare"),
    path("c/<slug:slug>/agreement/influence/", agreement.influence, name="influence"),
    path("c/<slug:slug>/annotators/", annotators.annotators, name="annotators"),
    path("c/<slug:slug>/annotators/<uuid:annotator>/", annotators.annotator, name="annotator"),
    path("c/<slug:slug>/results/", results.results, name="results"),
    path("c/<slug:slug>/gold/", gold.gold_page, name="gold"),
    path("c/<slug:slug>/runs/", runs.runs, name="runs"),
    path("c/<slug:slug>/runs/list/", runs.runs_fragment, name="runs-list"),
    path("c/<slug:slug>/runs/import/", scores_import.import_page, name="scores-import"),
    path("c/<slug:slug>/runs/<uuid:key>/", runs.run_page, name="run"),
    path("c/<slug:slug>/runs/<uuid:key>/cancel/", runs.cancel, name="run-cancel"),
    path("c/<slug:slug>/runs/<uuid:key>/retry/", runs.retry, name="run-retry"),
    path("c/<slug:slug>/runs/<uuid:key>/update/", runs.update, name="run-update"),
    path("c/<slug:slug>/correlation/", correlation.correlation, name="correlation"),
    path("c/<slug:slug>/correlation/metric/", one_metric.one_metric, name="one-metric"),
    path("c/<slug:slug>/correlation/texts/", one_metric.texts, name="metric-texts"),
    path("c/<slug:slug>/correlation/differences/", correlation.differences, name="differences"),
    path("c/<slug:slug>/correlation/systems/", more.systems, name="correlation-systems"),
    path("c/<slug:slug>/correlation/mixes/", mixes.mixes, name="mixes"),
    path("c/<slug:slug>/correlation/stability/", more.stability, name="stability"),
    path("c/<slug:slug>/correlation/ranking/", more.ranking, name="ranking"),
    path("c/<slug:slug>/correlation/report/", correlation_report.report, name="correlation-report"),
    path(
        "c/<slug:slug>/correlation/table/<slug:name>.<slug:form>",
        figures.table,
        name="correlation-table",
    ),
    path("c/<slug:slug>/correlation/figure/<slug:name>.<slug:form>", figures.figure, name="figure"),
    path("c/<slug:slug>/exports/", exports.exports, name="exports"),
    path("c/<slug:slug>/exports/new/", exports.export_new, name="export-new"),
    path("c/<slug:slug>/exports/list/", exports.export_files, name="exports-list"),
    path("c/<slug:slug>/exports/<uuid:key>/", exports.export_file, name="export-file"),
]

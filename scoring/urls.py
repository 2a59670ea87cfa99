"""URLs of the analysis: its API, and its pages."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext_lazy

from annotation.campaigns.overview import OverviewCard, add_cards
from annotation.http.glossary import add_help
from annotation.http.pages import Tab, add_tabs
from scoring.agreement import views as agreement_views
from scoring.annotators import views as annotators_views
from scoring.archives import views as archives_views
from scoring.builds import api as builds_api
from scoring.builds import resources_views as resources_page
from scoring.builds import test_set_views
from scoring.builds import views as builds_views
from scoring.correlation import more_views
from scoring.correlation import views as correlation_views
from scoring.exports import api as exports_api
from scoring.exports import views as exports_views
from scoring.gold import views as gold_views
from scoring.http import overview, overview_cards
from scoring.resources import api as resources_api
from scoring.resources import views as resources_views
from scoring.results import items
from scoring.results import views as results_views
from scoring.runs import api as runs_api
from scoring.runs import matches
from scoring.runs import views as runs_views
from scoring.work import views as work_api
from scoring.work import views as work_views

# The API.


C = "campaigns/<slug:slug>"
api_urlpatterns = [
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
    path("restores", archives_views.RestoresRoute.as_view(), name="api-restores"),
    path("restores/<uuid:key>", archives_views.OneRestoreRoute.as_view(), name="api-restore"),
    path(f"{C}/archives", archives_views.ArchivesRoute.as_view(), name="api-archives"),
    path(f"{C}/archives/<uuid:key>", archives_views.OneArchiveRoute.as_view(), name="api-archive"),
    path(
        f"{C}/archives/<uuid:key>/file",
        archives_views.ArchiveContentRoute.as_view(),
        name="api-archive-file",
    ),
    path(f"{C}/archive-away", archives_views.AwayRoute.as_view(), name="api-archive-away"),
    path(f"{C}/delete", archives_views.DeleteCampaignRoute.as_view(), name="api-campaign-delete"),
    path(f"{C}/exports", exports_api.ExportsRoute.as_view(), name="api-exports"),
    path(f"{C}/exports/<uuid:key>", exports_api.OneExportRoute.as_view(), name="api-export"),
    path(
        f"{C}/exports/<uuid:key>/file",
        exports_api.ExportContentRoute.as_view(),
        name="api-export-file",
    ),
]


# Pages.


urlpatterns = [
    path("overview/", overview.overview, name="overview"),
    path("overview/disk/", work_views.disk, name="disk"),
    path("work/", work_views.work, name="work"),
    path("work/pause/<str:kind>/", work_views.pause, name="work-pause"),
    path(
        "work/<str:kind>/<str:key>/cancel/", work_views.act, {"what": "cancel"}, name="work-cancel"
    ),
    path("work/<str:kind>/<str:key>/again/", work_views.act, {"what": "again"}, name="work-again"),
    path("resources/", resources_page.resources, name="resources"),
    path("resources/models/", resources_views.add, name="model-add"),
    path("resources/models/<str:word>/", resources_views.get, name="model-get"),
    path("resources/<uuid:key>/", resources_views.resource, name="resource"),
    path("resources/<uuid:key>/file/", resources_page.download, name="resource-file"),
    path("builds/", resources_page.start, name="build-start"),
    path("builds/<uuid:key>/", resources_page.build, name="build"),
    path("builds/<uuid:key>/cancel/", resources_page.cancel, name="build-cancel"),
    path("resources/<uuid:key>/rating/", builds_views.rating, name="resource-rating"),
    path(
        "resources/<uuid:key>/rating/<str:form>/",
        builds_views.rating_file,
        name="resource-rating-file",
    ),
    path("resources/<uuid:key>/scope/", resources_views.scope, name="resource-scope"),
    path("resources/<uuid:key>/remove/", resources_views.remove, name="resource-remove"),
    path("metrics/", runs_views.metrics, name="metrics"),
    path("metrics/<str:metric>/", runs_views.metric, name="metric"),
    path("worker-status/", runs_views.worker_banner, name="worker-status"),
    path("c/<slug:slug>/import/test-set/", test_set_views.test_set, name="test-set"),
    path(
        "c/<slug:slug>/import/test-set/<uuid:key>/",
        test_set_views.test_set_build,
        name="test-set-build",
    ),
    path("c/<slug:slug>/cards/agreement/", overview_cards.agreement, name="card-agreement"),
    path("c/<slug:slug>/cards/systems/", overview_cards.systems, name="card-systems"),
    path("c/<slug:slug>/cards/metrics/", overview_cards.metrics, name="card-metrics"),
    path("c/<slug:slug>/import/paraphrases/", builds_views.generate, name="generate"),
    path(
        "c/<slug:slug>/import/paraphrases/<uuid:key>/",
        builds_views.generate_build,
        name="generate-build",
    ),
    path("c/<slug:slug>/items/", items.items, name="items"),
    path("c/<slug:slug>/items/<uuid:key>/", items.item_page, name="item"),
    path("c/<slug:slug>/agreement/", agreement_views.agreement, name="agreement"),
    path("c/<slug:slug>/agreement/ratings/", agreement_views.ratings, name="ratings"),
    path("c/<slug:slug>/agreement/compare/", agreement_views.compare, name="compare"),
    path("c/<slug:slug>/agreement/influence/", agreement_views.influence, name="influence"),
    path("c/<slug:slug>/annotators/", annotators_views.annotators, name="annotators"),
    path(
        "c/<slug:slug>/annotators/multiples/",
        annotators_views.annotator_multiples,
        name="annotator-multiples",
    ),
    path(
        "c/<slug:slug>/annotators/<uuid:annotator>/", annotators_views.annotator, name="annotator"
    ),
    path("c/<slug:slug>/results/", results_views.results, name="results"),
    path("c/<slug:slug>/gold/", gold_views.gold_page, name="gold"),
    path("c/<slug:slug>/gold/picture/", gold_views.gold_picture, name="gold-picture"),
    path("c/<slug:slug>/runs/", runs_views.runs, name="runs"),
    path("c/<slug:slug>/runs/list/", runs_views.runs_fragment, name="runs-list"),
    path("c/<slug:slug>/runs/import/", runs_views.import_page, name="scores-import"),
    path("c/<slug:slug>/runs/<uuid:key>/", runs_views.run_page, name="run"),
    path("c/<slug:slug>/runs/<uuid:key>/matches/", matches.matches, name="run-matches"),
    path("c/<slug:slug>/runs/<uuid:key>/cancel/", runs_views.cancel, name="run-cancel"),
    path("c/<slug:slug>/runs/<uuid:key>/retry/", runs_views.retry, name="run-retry"),
    path("c/<slug:slug>/runs/<uuid:key>/update/", runs_views.update, name="run-update"),
    path("c/<slug:slug>/correlation/", correlation_views.correlation, name="correlation"),
    path("c/<slug:slug>/correlation/metric/", correlation_views.one_metric, name="one-metric"),
    path("c/<slug:slug>/correlation/beside/", correlation_views.beside, name="metric-beside"),
    path("c/<slug:slug>/correlation/texts/", correlation_views.texts, name="metric-texts"),
    path(
        "c/<slug:slug>/correlation/differences/", correlation_views.differences, name="differences"
    ),
    path("c/<slug:slug>/correlation/systems/", more_views.systems, name="correlation-systems"),
    path("c/<slug:slug>/correlation/mixes/", more_views.mixes, name="mixes"),
    path("c/<slug:slug>/correlation/stability/", more_views.stability, name="stability"),
    path("c/<slug:slug>/correlation/ranking/", more_views.ranking, name="ranking"),
    path("c/<slug:slug>/correlation/report/", more_views.report, name="correlation-report"),
    path(
        "c/<slug:slug>/correlation/table/<slug:name>.<slug:form>",
        more_views.table,
        name="correlation-table",
    ),
    path(
        "c/<slug:slug>/correlation/figure/<slug:name>.<slug:form>", more_views.figure, name="figure"
    ),
    path("c/<slug:slug>/extrinsic/", builds_views.extrinsic, name="extrinsic"),
    path(
        "c/<slug:slug>/extrinsic/<uuid:key>/", builds_views.extrinsic_build, name="extrinsic-build"
    ),
    path(
        "c/<slug:slug>/extrinsic/<uuid:key>/<slug:name>.<slug:form>",
        builds_views.extrinsic_table,
        name="extrinsic-table",
    ),
    path("restore/", archives_views.restore, name="restore"),
    path("restore/<uuid:key>/", archives_views.restore_job, name="restore-job"),
    path("c/<slug:slug>/archive/", archives_views.archive, name="archive"),
    path("c/<slug:slug>/publish/", archives_views.publish, name="publish"),
    path("c/<slug:slug>/archive/new/<slug:what>/", archives_views.whole_new, name="whole-new"),
    path("c/<slug:slug>/archive/away/", archives_views.away, name="archive-away"),
    path("c/<slug:slug>/archive/delete/", archives_views.delete, name="campaign-delete"),
    path("c/<slug:slug>/archive/<uuid:key>/", archives_views.whole_file, name="whole-file"),
    path("c/<slug:slug>/exports/", exports_views.exports, name="exports"),
    path("c/<slug:slug>/exports/new/", exports_views.export_new, name="export-new"),
    path("c/<slug:slug>/exports/list/", exports_views.export_files, name="exports-list"),
    path("c/<slug:slug>/exports/<uuid:key>/", exports_views.export_file, name="export-file"),
    path("c/<slug:slug>/reviewer/", exports_views.reviewer, name="reviewer"),
]

# The pages of this app in their rooms, and its cards on the overview.

add_tabs(
    Tab(
        "generate",
        gettext_lazy("Generate paraphrases"),
        105,
        "research",
        ("generate-build",),
        room="setup",
    ),
    Tab("results", gettext_lazy("Results"), 310, room="judgments"),
    Tab(
        "agreement",
        gettext_lazy("Agreement"),
        320,
        pages=("compare", "influence"),
        room="judgments",
    ),
    Tab(
        "annotators", gettext_lazy("Annotators"), 330, "research", ("annotator",), room="judgments"
    ),
    Tab("gold", gettext_lazy("Gold"), 340, room="judgments"),
    Tab("items", gettext_lazy("Items"), 350, pages=("item",), room="judgments", needs="texts"),
    Tab(
        "correlation",
        gettext_lazy("Correlation"),
        410,
        pages=("correlation-report",),
        room="metrics",
        choice=True,
    ),
    Tab(
        "runs",
        gettext_lazy("Metric runs"),
        420,
        pages=("run", "scores-import", "run-matches"),
        room="metrics",
        needs="texts",
    ),
    Tab("one-metric", gettext_lazy("One metric"), 415, room="metrics", choice=True),
    Tab("differences", gettext_lazy("Differences"), 440, room="metrics", choice=True, more=True),
    Tab(
        "correlation-systems", gettext_lazy("Systems"), 450, room="metrics", choice=True, more=True
    ),
    Tab("mixes", gettext_lazy("Mixes"), 460, room="metrics", choice=True, more=True),
    Tab("stability", gettext_lazy("Stability"), 470, room="metrics", choice=True, more=True),
    Tab("ranking", gettext_lazy("Ranking"), 480, room="metrics", choice=True, more=True),
    Tab(
        "extrinsic",
        gettext_lazy("Extrinsic"),
        490,
        "research",
        ("extrinsic-build",),
        room="metrics",
        more=True,
    ),
    Tab("exports", gettext_lazy("Export"), 510, room="publish", needs="texts"),
    Tab("reviewer", gettext_lazy("What a reviewer will ask"), 515, "research", room="publish"),
    Tab("publish", gettext_lazy("Publish"), 520, "keep", room="publish"),
    Tab("archive", gettext_lazy("Archive"), 530, "keep", room="publish", needs="texts"),
)
add_cards(
    OverviewCard("card-agreement", gettext_lazy("Agreement"), "agreement", 10),
    OverviewCard("card-systems", gettext_lazy("Systems"), "results", 20),
    OverviewCard("card-metrics", gettext_lazy("Metrics and people"), "correlation", 30),
)


# The help of each page.

add_help("rooms", "campaign alpha interval run", "overview")
add_help("operations#a-full-disk", "resource run", "disk")
add_help("test-sets#on-the-import-page", "item system reference", "test-set", "test-set-build")
add_help("gold-and-results", "item phrase paraphrase judgment score", "items", "item")
add_help(
    "statistics",
    "alpha interval cluster counted scale",
    "agreement",
    "compare",
    "influence",
    "ratings",
)
add_help("annotators", "annotator severity interval repeat control", "annotators", "annotator")
add_help("gold-and-results", "system interval letter cluster pass look", "results")
add_help("gold-and-results", "gold threshold pass judgment", "gold", "gold-picture")
add_help(
    "runs",
    "metric run score reference signature",
    "runs",
    "run",
    "scores-import",
    "runs-list",
    "run-matches",
)
add_help(
    "correlation",
    "correlation ceiling letter interval look",
    "correlation",
    "correlation-report",
    "differences",
)
add_help("correlation", "metric gold score pass", "one-metric")
add_help("correlation", "system correlation interval", "correlation-systems")
add_help("correlation", "mix correlation metric", "mixes")
add_help("correlation", "stability correlation", "stability")
add_help("correlation", "ranking metric", "ranking")
add_help("formats", "judgment gold report fingerprint", "exports")
add_help("archives", "campaign log fingerprint", "publish", "archive")
add_help("archives#what-a-reviewer-will-ask", "campaign judgment report", "reviewer")
add_help("extrinsic", "paraphrase item resource", "generate", "generate-build")
add_help("extrinsic", "metric correlation interval", "extrinsic", "extrinsic-build")
add_help("metrics", "metric reference resource", "metrics", "metric")
add_help("resources", "resource metric", "resources", "resource", "build")
add_help("extrinsic#on-the-page-resources", "resource phrase paraphrase", "resource-rating")

"""URLs of the data collection API."""

from __future__ import annotations

from django.urls import path

from annotation.accounts import api as accounts_api
from annotation.board import api
from annotation.campaigns import api as campaigns_api
from annotation.collecting import api as collecting_api
from annotation.collecting import whole_sheet_api
from annotation.importing import api as importing_api
from annotation.panels import api as panels_api
from annotation.people import api as people_api

C = "campaigns/<slug:slug>"
urlpatterns = [
    # First, because they are asked for most.
    *whole_sheet_api.urlpatterns,
    *collecting_api.urlpatterns,
    path("token", accounts_api.TokenRoute.as_view(), name="api-token"),
    path("token/<uuid:key>", accounts_api.OneTokenRoute.as_view(), name="api-token-one"),
    path("campaigns", campaigns_api.CampaignsRoute.as_view(), name="api-campaigns"),
    path(C, campaigns_api.OneCampaignRoute.as_view(), name="api-campaign"),
    path(f"{C}/open", campaigns_api.OpenCampaignRoute.as_view(), name="api-campaign-open"),
    path(f"{C}/pause", campaigns_api.PauseCampaignRoute.as_view(), name="api-campaign-pause"),
    path(f"{C}/close", campaigns_api.CloseCampaignRoute.as_view(), name="api-campaign-close"),
    path(f"{C}/template", campaigns_api.TemplateRoute.as_view(), name="api-template"),
    path(f"{C}/copies", campaigns_api.CopiesRoute.as_view(), name="api-copies"),
    path(f"{C}/pilots", campaigns_api.PilotsRoute.as_view(), name="api-pilots"),
    path(f"{C}/pilot/end", campaigns_api.PilotEndRoute.as_view(), name="api-pilot-end"),
    path(
        f"{C}/pilot/judgments",
        campaigns_api.PilotJudgmentsRoute.as_view(),
        name="api-pilot-judgments",
    ),
    path("templates", campaigns_api.SavedTemplatesRoute.as_view(), name="api-templates"),
    path(
        "templates/<slug:template>",
        campaigns_api.OneSavedTemplateRoute.as_view(),
        name="api-site-template",
    ),
    path(f"{C}/scales", campaigns_api.ScalesRoute.as_view(), name="api-scales"),
    path(
        f"{C}/scales/<uuid:scale>/threshold",
        campaigns_api.ThresholdRoute.as_view(),
        name="api-threshold",
    ),
    path(f"{C}/progress", campaigns_api.ProgressRoute.as_view(), name="api-progress"),
    path(f"{C}/board", api.BoardRoute.as_view(), name="api-board"),
    path(f"{C}/progress/own", campaigns_api.OwnProgressRoute.as_view(), name="api-progress-own"),
    path(f"{C}/items", campaigns_api.ItemsRoute.as_view(), name="api-items"),
    path(f"{C}/items/<uuid:key>", campaigns_api.OneItemRoute.as_view(), name="api-item"),
    path(f"{C}/systems", campaigns_api.SystemsRoute.as_view(), name="api-systems"),
    path(f"{C}/judgments", campaigns_api.JudgmentsRoute.as_view(), name="api-judgments"),
    path(f"{C}/annotators", people_api.AnnotatorsRoute.as_view(), name="api-annotators"),
    path(f"{C}/exclusions", people_api.ExclusionsRoute.as_view(), name="api-exclusions"),
    path(
        f"{C}/exclusions/<uuid:key>", people_api.OneExclusionRoute.as_view(), name="api-exclusion"
    ),
    path(f"{C}/invitations", people_api.InvitationsRoute.as_view(), name="api-invitations"),
    path(
        f"{C}/invitations/<uuid:key>",
        people_api.OneInvitationRoute.as_view(),
        name="api-invitation",
    ),
    path(f"{C}/letters", people_api.LettersRoute.as_view(), name="api-letters"),
    path(f"{C}/imports", importing_api.ImportsRoute.as_view(), name="api-imports"),
    path(f"{C}/imports/<uuid:key>", importing_api.OneImportRoute.as_view(), name="api-import"),
    path(f"{C}/imports/items", importing_api.ImportItemsRoute.as_view(), name="api-import-items"),
    path(
        f"{C}/imports/judgments",
        importing_api.ImportJudgmentsRoute.as_view(),
        name="api-import-judgments",
    ),
    path(
        f"{C}/imports/inspect", importing_api.InspectTableRoute.as_view(), name="api-import-inspect"
    ),
    path(
        f"{C}/imports/<uuid:key>/back",
        importing_api.TakeBackRoute.as_view(),
        name="api-import-back",
    ),
    path(f"{C}/imports/gold", importing_api.ImportGoldRoute.as_view(), name="api-import-gold"),
    *panels_api.urlpatterns,
    *people_api.urlpatterns,
    *accounts_api.urlpatterns,
]

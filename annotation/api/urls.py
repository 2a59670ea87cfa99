"""URLs of the data collection API."""

from django.urls import path

from annotation.api.campaigns import board, campaigns, imports, items, pilots, templates
from annotation.api.collecting import sheets, whole
from annotation.api.people import groups, panels, people, session, tokens

C = "campaigns/<slug:slug>"
urlpatterns = [
    # First, because they are asked for most.
    *whole.urlpatterns,
    *sheets.urlpatterns,
    path("token", tokens.TokenRoute.as_view(), name="api-token"),
    path("token/<uuid:key>", tokens.OneTokenRoute.as_view(), name="api-token-one"),
    path("campaigns", campaigns.CampaignsRoute.as_view(), name="api-campaigns"),
    path(C, campaigns.OneCampaignRoute.as_view(), name="api-campaign"),
    path(f"{C}/open", campaigns.OpenCampaignRoute.as_view(), name="api-campaign-open"),
    path(f"{C}/pause", campaigns.PauseCampaignRoute.as_view(), name="api-campaign-pause"),
    path(f"{C}/close", campaigns.CloseCampaignRoute.as_view(), name="api-campaign-close"),
    path(f"{C}/template", templates.TemplateRoute.as_view(), name="api-template"),
    path(f"{C}/copies", templates.CopiesRoute.as_view(), name="api-copies"),
    path(f"{C}/pilots", pilots.PilotsRoute.as_view(), name="api-pilots"),
    path(f"{C}/pilot/end", pilots.PilotEndRoute.as_view(), name="api-pilot-end"),
    path(f"{C}/pilot/judgments", pilots.PilotJudgmentsRoute.as_view(), name="api-pilot-judgments"),
    path("templates", templates.SavedTemplatesRoute.as_view(), name="api-templates"),
    path(
        "templates/<slug:template>",
        templates.OneSavedTemplateRoute.as_view(),
        name="api-site-template",
    ),
    path(f"{C}/scales", campaigns.ScalesRoute.as_view(), name="api-scales"),
    path(
        f"{C}/scales/<uuid:scale>/threshold",
        campaigns.ThresholdRoute.as_view(),
        name="api-threshold",
    ),
    path(f"{C}/progress", campaigns.ProgressRoute.as_view(), name="api-progress"),
    path(f"{C}/board", board.BoardRoute.as_view(), name="api-board"),
    path(f"{C}/progress/own", campaigns.OwnProgressRoute.as_view(), name="api-progress-own"),
    path(f"{C}/items", items.ItemsRoute.as_view(), name="api-items"),
    path(f"{C}/items/<uuid:key>", items.OneItemRoute.as_view(), name="api-item"),
    path(f"{C}/systems", items.SystemsRoute.as_view(), name="api-systems"),
    path(f"{C}/judgments", items.JudgmentsRoute.as_view(), name="api-judgments"),
    path(f"{C}/annotators", people.AnnotatorsRoute.as_view(), name="api-annotators"),
    path(f"{C}/exclusions", people.ExclusionsRoute.as_view(), name="api-exclusions"),
    path(f"{C}/exclusions/<uuid:key>", people.OneExclusionRoute.as_view(), name="api-exclusion"),
    path(f"{C}/invitations", people.InvitationsRoute.as_view(), name="api-invitations"),
    path(f"{C}/invitations/<uuid:key>", people.OneInvitationRoute.as_view(), name="api-invitation"),
    path(f"{C}/letters", people.LettersRoute.as_view(), name="api-letters"),
    path(f"{C}/imports", imports.ImportsRoute.as_view(), name="api-imports"),
    path(f"{C}/imports/<uuid:key>", imports.OneImportRoute.as_view(), name="api-import"),
    path(f"{C}/imports/items", imports.ImportItemsRoute.as_view(), name="api-import-items"),
    path(
        f"{C}/imports/judgments",
        imports.ImportJudgmentsRoute.as_view(),
        name="api-import-judgments",
    ),
    path(f"{C}/imports/inspect", imports.InspectTableRoute.as_view(), name="api-import-inspect"),
    path(f"{C}/imports/<uuid:key>/back", imports.TakeBackRoute.as_view(), name="api-import-back"),
    path(f"{C}/imports/gold", imports.ImportGoldRoute.as_view(), name="api-import-gold"),
    *panels.urlpatterns,
    *groups.urlpatterns,
    *session.urlpatterns,
]

"""Addresses of the API of data collection."""

from django.urls import path

from annotation.api import campaigns, imports, items, people, session, sheets, tokens

C = "campaigns/<slug:slug>"
urlpatterns = [
    path("token", tokens.TokenRoute.as_view(), name="api-token"),
    path("token/<uuid:key>", tokens.OneToken.as_view(), name="api-token-one"),
    path("campaigns", campaigns.Campaigns.as_view(), name="api-campaigns"),
    path(C, campaigns.OneCampaign.as_view(), name="api-campaign"),
    path(f"{C}/open", campaigns.OpenCampaign.as_view(), name="api-campaign-open"),
    path(f"{C}/pause", campaigns.PauseCampaign.as_view(), name="api-campaign-pause"),
    path(f"{C}/close", campaigns.CloseCampaign.as_view(), name="api-campaign-close"),
    path(f"{C}/scales", campaigns.Scales.as_view(), name="api-scales"),
    path(
        f"{C}/scales/<uuid:scale>/threshold",
        campaigns.Threshold.as_view(),
        name="api-threshold",
    ),
    path(f"{C}/progress", campaigns.Progress.as_view(), name="api-progress"),
    path(f"{C}/progress/own", campaigns.OwnProgress.as_view(), name="api-progress-own"),
    path(f"{C}/items", items.Items.as_view(), name="api-items"),
    path(f"{C}/items/<uuid:key>", items.OneItem.as_view(), name="api-item"),
    path(f"{C}/systems", items.Systems.as_view(), name="api-systems"),
    path(f"{C}/judgments", items.Judgments.as_view(), name="api-judgments"),
    path(f"{C}/annotators", people.Annotators.as_view(), name="api-annotators"),
    path(f"{C}/exclusions", people.Exclusions.as_view(), name="api-exclusions"),
    path(f"{C}/exclusions/<uuid:key>", people.OneExclusion.as_view(), name="api-exclusion"),
    path(f"{C}/invitations", people.Invitations.as_view(), name="api-invitations"),
    path(f"{C}/invitations/<uuid:key>", people.OneInvitation.as_view(), name="api-invitation"),
    path(f"{C}/imports", imports.Imports.as_view(), name="api-imports"),
    path(f"{C}/imports/items", imports.ImportItems.as_view(), name="api-import-items"),
    path(f"{C}/imports/judgments", imports.ImportJudgments.as_view(), name="api-import-judgments"),
    path(f"{C}/imports/gold", imports.ImportGold.as_view(), name="api-import-gold"),
    *session.urlpatterns,
    *sheets.urlpatterns,
]

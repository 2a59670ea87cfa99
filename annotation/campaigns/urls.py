"""URLs of setting a campaign up."""

from __future__ import annotations

from django.urls import path

from annotation.campaigns import setup_views, starting_views
from annotation.campaigns.templating import views as template_views

urlpatterns = [
    path("campaigns/new/table/", starting_views.campaign_from_table, name="campaign-from-table"),
    path("c/<slug:slug>/ready/", starting_views.campaign_ready, name="campaign-ready"),
    path("campaigns/new/file/", template_views.campaign_from_file, name="campaign-from-file"),
    path("templates/", template_views.templates, name="templates"),
    path(
        "templates/<slug:template>.yaml", template_views.template_download, name="template-download"
    ),
    path(
        "templates/<slug:template>/remove/", template_views.template_remove, name="template-remove"
    ),
    path("templates/<slug:template>/scope/", template_views.template_scope, name="template-scope"),
    path("c/<slug:slug>/steps/", setup_views.setup_steps, name="setup-steps"),
    path("c/<slug:slug>/open/", setup_views.open_ask, name="open-ask"),
    path("c/<slug:slug>/template/", template_views.campaign_template, name="campaign-template"),
    path("c/<slug:slug>/template.yaml", template_views.template_file, name="template-file"),
    path("c/<slug:slug>/copy/", setup_views.campaign_copy_page, name="campaign-copy"),
    path("c/<slug:slug>/preview/", setup_views.preview, name="preview"),
    path("c/<slug:slug>/preview/sheet/", setup_views.preview_sheet, name="preview-sheet"),
    path("c/<slug:slug>/pilot/", setup_views.pilot, name="pilot"),
    path("c/<slug:slug>/pilot/end/", setup_views.pilot_stop, name="pilot-end"),
    path("c/<slug:slug>/pilot/judgments/", setup_views.pilot_judgments, name="pilot-judgments"),
]

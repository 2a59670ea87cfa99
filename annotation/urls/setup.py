"""URLs of setting a campaign up."""

from django.urls import path

from annotation.views.setup import copying, pilots, preview, steps, templates

urlpatterns = [
    path("campaigns/new/file/", templates.campaign_from_file, name="campaign-from-file"),
    path("templates/", templates.templates, name="templates"),
    path("templates/<slug:template>.yaml", templates.template_download, name="template-download"),
    path("templates/<slug:template>/remove/", templates.template_remove, name="template-remove"),
    path("templates/<slug:template>/scope/", templates.template_scope, name="template-scope"),
    path("c/<slug:slug>/steps/", steps.setup_steps, name="setup-steps"),
    path("c/<slug:slug>/open/", steps.open_ask, name="open-ask"),
    path("c/<slug:slug>/template/", templates.campaign_template, name="campaign-template"),
    path("c/<slug:slug>/template.yaml", templates.template_file, name="template-file"),
    path("c/<slug:slug>/copy/", copying.campaign_copy_page, name="campaign-copy"),
    path("c/<slug:slug>/preview/", preview.preview, name="preview"),
    path("c/<slug:slug>/preview/sheet/", preview.preview_sheet, name="preview-sheet"),
    path("c/<slug:slug>/pilot/", pilots.pilot, name="pilot"),
    path("c/<slug:slug>/pilot/end/", pilots.pilot_stop, name="pilot-end"),
    path("c/<slug:slug>/pilot/judgments/", pilots.pilot_judgments, name="pilot-judgments"),
]

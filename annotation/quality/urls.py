"""URLs of quality control and practice, for annotators and researchers."""

from __future__ import annotations

from django.urls import path

from annotation.quality import practice_views, views

urlpatterns = [
    path("rate/<slug:slug>/notice/", views.notice, name="rate-notice"),
    path("rate/<slug:slug>/practice/", practice_views.practice, name="rate-practice"),
    path(
        "rate/<slug:slug>/practice/<uuid:attempt>/",
        practice_views.attempt,
        name="rate-practice-try",
    ),
    path("c/<slug:slug>/quality/", views.quality, name="quality"),
    path("c/<slug:slug>/quality/plan/", views.plan, name="quality-plan"),
    path("c/<slug:slug>/quality/rules/", views.rule_new, name="quality-rule"),
    path(
        "c/<slug:slug>/quality/rules/<uuid:rule>/end/", views.rule_remove, name="quality-rule-end"
    ),
    path("c/<slug:slug>/quality/actions/<uuid:action>/", views.action, name="quality-action"),
    path("c/<slug:slug>/quality/controls/", views.controls, name="quality-controls"),
    path("c/<slug:slug>/quality/controls/new/", views.control_new, name="quality-control"),
    path("c/<slug:slug>/quality/copies/", views.copies_new, name="quality-copies"),
    path("c/<slug:slug>/quality/import/", views.expected_upload, name="quality-import"),
    path("c/<slug:slug>/quality/texts/<uuid:text>/", views.text_page, name="quality-text"),
    path("c/<slug:slug>/practice/", practice_views.practice_settings, name="practice"),
    path("c/<slug:slug>/practice/texts/", practice_views.text_new, name="practice-text"),
    path(
        "c/<slug:slug>/people/<uuid:annotator>/practice/",
        practice_views.grant,
        name="practice-grant",
    ),
    path("c/<slug:slug>/people/<uuid:annotator>/", views.record_page, name="quality-record"),
]

"""URLs of quality control and practice, for annotators and researchers."""

from django.urls import path

from annotation.views.quality import (
    controls as quality_controls,
)
from annotation.views.quality import (
    notice as quality_notice,
)
from annotation.views.quality import (
    practice,
    practice_settings,
)
from annotation.views.quality import (
    rules as quality,
)

urlpatterns = [
    path("rate/<slug:slug>/notice/", quality_notice.notice, name="rate-notice"),
    path("rate/<slug:slug>/practice/", practice.practice, name="rate-practice"),
    path("rate/<slug:slug>/practice/<uuid:attempt>/", practice.attempt, name="rate-practice-try"),
    path("c/<slug:slug>/quality/", quality.quality, name="quality"),
    path("c/<slug:slug>/quality/plan/", quality.plan, name="quality-plan"),
    path("c/<slug:slug>/quality/rules/", quality.rule_new, name="quality-rule"),
    path(
        "c/<slug:slug>/quality/rules/<uuid:rule>/end/", quality.rule_remove, name="quality-rule-end"
    ),
    path("c/<slug:slug>/quality/actions/<uuid:action>/", quality.action, name="quality-action"),
    path("c/<slug:slug>/quality/controls/", quality_controls.controls, name="quality-controls"),
    path(
        "c/<slug:slug>/quality/controls/new/", quality_controls.control_new, name="quality-control"
    ),
    path("c/<slug:slug>/quality/copies/", quality_controls.copies_new, name="quality-copies"),
    path("c/<slug:slug>/quality/import/", quality_controls.expected_upload, name="quality-import"),
    path(
        "c/<slug:slug>/quality/texts/<uuid:text>/", quality_controls.text_page, name="quality-text"
    ),
    path("c/<slug:slug>/practice/", practice_settings.practice, name="practice"),
    path("c/<slug:slug>/practice/texts/", practice_settings.text_new, name="practice-text"),
    path(
        "c/<slug:slug>/people/<uuid:annotator>/practice/",
        practice_settings.grant,
        name="practice-grant",
    ),
    path("c/<slug:slug>/people/<uuid:annotator>/", quality.record_page, name="quality-record"),
]

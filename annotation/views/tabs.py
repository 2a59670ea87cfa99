"""The tabs of this app, registered at startup (annotation/apps.py)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from annotation.views.pages import Tab, add_tabs

add_tabs(
    Tab("campaign", _("Progress"), 10),
    Tab(
        "import", _("Import"), 100, "research", ("import-job", "test-set", "test-set-build"),
        apart=True,
    ),
    Tab("people", _("People"), 110, "research", ("invite", "exclude")),
    Tab(
        "quality", _("Quality"), 120, "research",
        ("quality-controls", "quality-text", "quality-record", "practice", "practice-text"),
    ),
    Tab("remarks", _("Remarks"), 130),
    Tab("settings", _("Settings"), 140, "research", ("scale", "scale-new", "scale-remove")),
    Tab(
        "consent", _("Consent"), 150, "research",
        ("background-answers", "question", "question-new"),
    ),
    Tab("guidelines", _("Guidelines"), 160, "see"),
    Tab("audit", _("Log"), 170, "research"),
)  # fmt: skip

"""The pages of this app in their rooms, registered at startup (annotation/apps.py)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from annotation.views.rooms import Tab, add_tabs

add_tabs(
    Tab("setup-steps", _("Steps"), 90, "research",
        ("open-ask", "campaign-template", "campaign-copy"), room="setup"),
    Tab("import", _("Import"), 100, "research",
        ("import-job", "import-columns", "test-set", "test-set-build"), room="setup"),
    Tab("settings", _("Settings"), 110, "research", ("scale", "scale-new", "scale-remove"),
        room="setup"),
    Tab("guidelines", _("Guidelines"), 120, "see", room="setup"),
    Tab("practice", _("Practice"), 130, "research", ("practice-text",), room="setup"),
    Tab("consent", _("Consent"), 140, "research",
        ("background-answers", "question", "question-new"), room="setup"),
    Tab("quality", _("Quality"), 150, "research",
        ("quality-controls", "quality-text", "quality-record"), room="setup"),
    Tab("preview", _("Preview"), 160, "research", room="setup"),
    Tab("pilot", _("Pilot"), 170, "research", room="setup"),
    Tab("board", _("Board"), 210, pages=("board-alarms",), room="collect"),
    Tab("people", _("People"), 220, "research",
        ("invite", "exclude", "invite-many", "remind", "letters"), room="collect"),
    Tab("groups", _("Groups"), 225, "research", ("lists", "list-act"), room="collect"),
    Tab("panels", _("Panels"), 230, "research", ("panel", "panel-ended"), room="collect"),
    Tab("remarks", _("Remarks"), 240, room="collect"),
    Tab("audit", _("Log"), 590, "research", room="publish"),
)  # fmt: skip

"""The tabs of this app, registered when it starts (scoring/apps.py)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from annotation.views.pages import Tab, add_tabs

add_tabs(
    Tab("items", _("Items"), 20, pages=("item",)),
    Tab("agreement", _("Agreement"), 30),
    Tab("annotators", _("Annotators"), 40, "research", ("annotator",)),
    Tab("results", _("Results"), 50),
    Tab("gold", _("Gold"), 60),
    Tab("runs", _("Metric runs"), 70, pages=("run", "scores-import")),
    Tab(
        "correlation", _("Correlation"), 80,
        pages=(
            "one-metric", "differences", "correlation-systems", "mixes", "stability", "ranking",
            "correlation-report",
        ),
    ),
    Tab("exports", _("Export"), 90),
)  # fmt: skip

"""The pages of this app in their rooms, and its cards on the overview, registered when it starts
(scoring/apps.py)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from annotation.presenters.overview import OverviewCard, add_cards
from annotation.views.rooms import Tab, add_tabs

add_tabs(
    Tab("generate", _("Generate paraphrases"), 105, "research", ("generate-build",), room="setup"),
    Tab("results", _("Results"), 310, room="judgments"),
    Tab("agreement", _("Agreement"), 320, pages=("compare", "influence"), room="judgments"),
    Tab("annotators", _("Annotators"), 330, "research", ("annotator",), room="judgments"),
    Tab("gold", _("Gold"), 340, room="judgments"),
    Tab("items", _("Items"), 350, pages=("item",), room="judgments"),
    Tab("correlation", _("Correlation"), 410, pages=("correlation-report",), room="metrics",
        choice=True),
    Tab("runs", _("Metric runs"), 420, pages=("run", "scores-import", "run-matches"),
        room="metrics"),
    Tab("one-metric", _("One metric"), 430, room="metrics", choice=True),
    Tab("differences", _("Differences"), 440, room="metrics", choice=True),
    Tab("correlation-systems", _("Systems"), 450, room="metrics", choice=True),
    Tab("mixes", _("Mixes"), 460, room="metrics", choice=True),
    Tab("stability", _("Stability"), 470, room="metrics", choice=True),
    Tab("ranking", _("Ranking"), 480, room="metrics", choice=True),
    Tab("extrinsic", _("Extrinsic"), 490, "research", ("extrinsic-build",), room="metrics"),
    Tab("exports", _("Export"), 510, room="publish"),
    Tab("publish", _("Publish"), 520, "keep", room="publish"),
    Tab("archive", _("Archive"), 530, "keep", room="publish"),
)  # fmt: skip
add_cards(
    OverviewCard("card-agreement", _("Agreement"), "agreement", 10),
    OverviewCard("card-systems", _("Systems"), "results", 20),
    OverviewCard("card-metrics", _("Metrics and people"), "correlation", 30),
)

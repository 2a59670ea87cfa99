"""manage.py results CAMPAIGN"""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandParser

from annotation.database import short_write
from annotation.management.site_command import SiteCommand
from scoring.gold.report import results_for
from scoring.ratings.choice import Choice, judgments_state
from scoring.reports.compute import look_note
from scoring.stats.gold.latent import METHODS
from scoring.stats.terminal.results_text import results_lines


class Command(SiteCommand):
    help = (
        "The results of every system as in the 2008 guide, with intervals, every pair of systems, "
        "and significance clusters."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument("--unit", default="judgment", choices=["judgment", "gold"])
        parser.add_argument(
            "--method",
            metavar="METHOD",
            help=f"how gold is made: {', '.join(METHODS)}; adjudicated- before it: adjudicated "
            "values first (default mean)",
        )
        parser.add_argument(
            "--unadjusted-clusters",
            action="store_true",
            help="also the clusters of the WMT shared tasks, not adjusted for the number of pairs",
        )
        parser.add_argument(
            "--as-in-paper",
            action="store_true",
            help="also intervals and tests that take judgments for independent",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def work(self, options: dict[str, Any]) -> None:
        campaign = self.campaign(options["campaign"])
        if options["method"] and options["unit"] != "gold":
            self.refuse("--method is about gold: add --unit gold.")
        choice = Choice.from_json({"method": options["method"]})
        unit = options["unit"]
        state = judgments_state(campaign=campaign)
        made = results_for(campaign=campaign, unit=unit, choice=choice)
        kind = "results-gold" if unit == "gold" else "results"
        with short_write():
            report = look_note(
                campaign=campaign, kind=kind, choice=choice, state=state, result=made
            )
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False))
            return
        for line in results_lines(
            report,
            unadjusted=options["unadjusted_clusters"],
            as_in_paper=options["as_in_paper"],
        ):
            self.stdout.write(line)

"""manage.py gold CAMPAIGN"""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandParser

from annotation.management.site_command import SiteCommand
from scoring.gold.report import gold_overview_for
from scoring.ratings.choice import Choice
from scoring.stats.terminal.results_text import gold_lines


class Command(SiteCommand):
    help = (
        "Compare the methods of gold, and list borderline decisions; for the values "
        "themselves: export --what gold --method METHOD."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def work(self, options: dict[str, Any]) -> None:
        campaign = self.campaign(options["campaign"])
        overview = gold_overview_for(campaign=campaign, choice=Choice())
        if options["json"]:
            self.stdout.write(json.dumps(overview, ensure_ascii=False))
            return
        for line in gold_lines(overview):
            self.stdout.write(line)

"""manage.py open_campaign SLUG"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.campaigns.services import campaign_open
from annotation.campaigns.setup import setup_of
from annotation.management.site_command import SiteCommand


class Command(SiteCommand):
    help = "Open a draft: texts, questions and sheets are fixed from then on. --check only reports."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument(
            "--check", action="store_true", help="say what is missing; open nothing"
        )

    def work(self, options: dict[str, Any]) -> None:
        campaign = self.campaign(options["campaign"], writes=True)
        setup = setup_of(campaign=campaign)
        for step in (*setup.missing, *setup.advised):
            self.stdout.write(f"{step.state}: {step.label}: {step.why}")
        if options["check"]:
            return
        campaign_open(campaign=campaign, actor=None)
        self.stdout.write(f"Campaign {campaign.slug} is open.")

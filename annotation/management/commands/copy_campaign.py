"""manage.py copy_campaign SLUG NEW"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.campaigns.copying import campaign_copy
from annotation.management.site_command import SiteCommand


class Command(SiteCommand):
    help = "Copy a campaign's settings, questions and rules into a new draft; no judgments."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument("new", help="the short name of the copy")
        parser.add_argument("--name", default="", help="the full name; the campaign's by default")
        parser.add_argument("--texts", action="store_true", help="with its items and texts")
        parser.add_argument("--people", action="store_true", help="with its members")

    def work(self, options: dict[str, Any]) -> None:
        campaign = self.campaign(options["campaign"])
        copy = campaign_copy(
            campaign=campaign,
            slug=self.new_slug(options["new"]),
            name=options["name"],
            texts=options["texts"],
            people=options["people"],
            actor=None,
        )
        self.stdout.write(f"Campaign {copy.slug} made from {campaign.slug}.")

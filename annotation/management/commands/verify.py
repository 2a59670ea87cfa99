"""manage.py verify CAMPAIGN|--all"""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import CommandParser

from annotation.management.site_command import SiteCommand
from annotation.models import Campaign
from annotation.verify import rules, verify


class Command(SiteCommand):
    help = "Check every rule of a campaign's data that no database constraint can express."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", nargs="?", help="the campaign's short name (slug)")
        parser.add_argument("--all", action="store_true", help="of every campaign")

    def work(self, options: dict[str, Any]) -> None:
        slug = options["campaign"]
        if bool(slug) == options["all"]:
            self.refuse("Name a campaign, or give --all.")
        campaigns = [self.campaign(slug)] if slug else list(Campaign.objects.order_by("pk"))
        if sum(self._is_broken(campaign) for campaign in campaigns):
            sys.exit(1)

    def _is_broken(self, campaign: Campaign) -> bool:
        broken = verify(campaign=campaign)
        for violation in broken:
            self.stderr.write(str(violation))
        if not broken:
            self.stdout.write(f"{campaign.slug}: {len(rules())} rules hold.")
        return bool(broken)

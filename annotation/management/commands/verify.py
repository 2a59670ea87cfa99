"""manage.py verify CAMPAIGN"""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.models import Campaign
from annotation.selectors.verify import rules, verify


class Command(BaseCommand):
    help = "Check every rule of a campaign's data that no database constraint can express."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name (slug)")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = Campaign.objects.filter(slug=options["campaign"]).first()
        if campaign is None:
            raise CommandError(f"There is no campaign {options['campaign']!r}.", returncode=2)
        broken = verify(campaign=campaign)
        for found in broken:
            self.stderr.write(str(found))
        if broken:
            sys.exit(1)
        self.stdout.write(f"{campaign.slug}: {len(rules())} rules hold.")

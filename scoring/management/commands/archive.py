"""manage.py archive CAMPAIGN -o FILE.zip"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.management.site_command import SiteCommand
from scoring.archives.services import archive_write
from scoring.management.command_files import add_campaign_file, campaign_file


class Command(SiteCommand):
    help = "Archive a campaign with everything in it; `restore` makes a campaign of the file."

    def add_arguments(self, parser: CommandParser) -> None:
        add_campaign_file(parser)

    def work(self, options: dict[str, Any]) -> None:
        campaign = self.campaign(options["campaign"])
        rows = campaign_file(
            options["output"], lambda stream: archive_write(campaign=campaign, stream=stream)
        )
        self.stderr.write(f"{rows} rows written to {options['output']}.")

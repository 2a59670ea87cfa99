"""manage.py package CAMPAIGN -o FILE.zip [--licence LICENCE] [--creator NAME ...]"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.management.site_command import SiteCommand
from scoring.exports.package import package_write
from scoring.management.command_files import add_campaign_file, campaign_file
from scoring.publishing.package_files import LICENCES


class Command(SiteCommand):
    help = "Make a package to publish: tables, cards, metadata, and a program that checks them."

    def add_arguments(self, parser: CommandParser) -> None:
        add_campaign_file(parser)
        parser.add_argument("--licence", default="", choices=LICENCES, help="none by default")
        parser.add_argument(
            "--creator", action="append", default=[], metavar="NAME", help="as 'Family, Given'"
        )

    def work(self, options: dict[str, Any]) -> None:
        campaign = self.campaign(options["campaign"])
        files = campaign_file(
            options["output"],
            lambda stream: package_write(
                campaign=campaign,
                stream=stream,
                licence=options["licence"],
                creators=options["creator"],
            ),
        )
        self.stderr.write(f"{files} files written to {options['output']}.")

"""manage.py import_lists CAMPAIGN FILE"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.errors import DomainError
from annotation.management.campaign_command import CampaignCommand, campaign_or_exit
from annotation.management.commands._files import add_file_arguments, import_file
from annotation.people.lists import lists_import, lists_set


class Command(CampaignCommand):
    help = "Import fixed lists: who judges what. Importing again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        add_file_arguments(parser, "csv", "tsv", "jsonl")
        parser.add_argument(
            "--order",
            choices=["listed", "shuffled"],
            help="hand sheets out by lists, in their order or each in a random one",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["order"] and not options["dry_run"]:
            campaign = campaign_or_exit(options["campaign"], writes=True)
            try:
                lists_set(campaign=campaign, lists=options["order"], actor=None)
            except DomainError as error:
                raise CommandError(error.message, returncode=2) from error
        import_file(self, options, lists_import)

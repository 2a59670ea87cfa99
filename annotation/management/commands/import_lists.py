"""manage.py import_lists CAMPAIGN FILE"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.management.commands._files import ImportCommand
from annotation.people.lists import lists_import, lists_set


class Command(ImportCommand):
    help = "Import fixed lists: who judges what. Importing again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_file_arguments(parser, "csv", "tsv", "jsonl")
        parser.add_argument(
            "--order",
            choices=["listed", "shuffled"],
            help="hand sheets out by lists, in their order or each in a random one",
        )

    def work(self, options: dict[str, Any]) -> None:
        if options["order"] and not options["dry_run"]:
            campaign = self.campaign(options["campaign"], writes=True)
            lists_set(campaign=campaign, lists=options["order"], actor=None)
        self.import_file(options, lists_import)

"""manage.py import_gold CAMPAIGN FILE"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.importing.gold import gold_import
from annotation.management.campaign_command import CampaignCommand
from annotation.management.commands._files import add_file_arguments, import_file


class Command(CampaignCommand):
    help = "Import gold values made elsewhere; importing again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        add_file_arguments(parser, "csv", "tsv", "jsonl", "ppdb")
        parser.add_argument(
            "--source", default="", help="where the values come from; the file's name by default"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        import_file(self, options, gold_import, what="gold", source=options["source"])

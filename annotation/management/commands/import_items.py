"""manage.py import_items CAMPAIGN FILE"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.importers.judgments import FORMAT as PPDB
from annotation.importing.gold import gold_import
from annotation.importing.items import items_import
from annotation.importing.judgments_write import judgments_import
from annotation.management.campaign_command import CampaignCommand
from annotation.management.commands._files import add_file_arguments, import_file


class Command(CampaignCommand):
    help = (
        "Import items, substitutions and systems, and of a file in the format ppdb its judgments "
        "and means too; importing again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_file_arguments(parser, "ccb", "csv", "tsv", "jsonl", "ppdb")

    def handle(self, *args: Any, **options: Any) -> None:
        import_file(self, options, items_import, what="items")
        if options["format"] == PPDB and not options["dry_run"]:
            import_file(self, options, judgments_import, what="judgments")
            import_file(self, options, gold_import, what="gold")

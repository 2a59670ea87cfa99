"""manage.py import_items CAMPAIGN FILE"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.importers.judgments import FORMAT as PPDB
from annotation.importing.gold import gold_import
from annotation.importing.items import items_import
from annotation.importing.judgments_write import judgments_import
from annotation.management.commands._files import ImportCommand


class Command(ImportCommand):
    help = (
        "Import items, substitutions and systems, and of a file in the format ppdb its judgments "
        "and means too; importing again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_file_arguments(parser, "ccb", "csv", "tsv", "jsonl", "ppdb")

    def work(self, options: dict[str, Any]) -> None:
        self.import_file(options, items_import, what="items")
        if options["format"] == PPDB and not options["dry_run"]:
            self.import_file(options, judgments_import, what="judgments")
            self.import_file(options, gold_import, what="gold")

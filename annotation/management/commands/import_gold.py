"""manage.py import_gold CAMPAIGN FILE"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.importing.gold import gold_import
from annotation.management.commands._files import ImportCommand


class Command(ImportCommand):
    help = "Import gold values made elsewhere; importing again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_file_arguments(parser, "csv", "tsv", "jsonl", "ppdb")
        parser.add_argument(
            "--source", default="", help="where the values come from; the file's name by default"
        )

    def work(self, options: dict[str, Any]) -> None:
        self.import_file(options, gold_import, what="gold", source=options["source"])

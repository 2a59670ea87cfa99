"""manage.py import_items CAMPAIGN FILE"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotation.management.commands._files import import_file
from annotation.services.importing import items_import


class Command(BaseCommand):
    help = "Import items, substitutions and systems; importing again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument("file")
        parser.add_argument("--format", choices=["ccb", "csv", "tsv", "jsonl"])
        parser.add_argument("--raw", action="store_true", help="keep leading apostrophes")
        parser.add_argument("--dry-run", action="store_true", help="check only")

    def handle(self, *args: Any, **options: Any) -> None:
        import_file(self, options, items_import)

"""manage.py import_items CAMPAIGN FILE"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.management.commands._files import campaign_or_exit, no_file, tell
from annotation.services.errors import DomainError
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
        campaign = campaign_or_exit(options["campaign"])
        try:
            with Path(options["file"]).open("rb") as stream:
                report = items_import(
                    campaign=campaign,
                    stream=stream,
                    name=options["file"],
                    format=options["format"],
                    raw=options["raw"],
                    dry_run=options["dry_run"],
                    actor=None,
                )
        except OSError as error:
            no_file(options["file"], error)
        except DomainError as error:
            raise CommandError(error.message, returncode=2) from error
        tell(self, report)

"""manage.py import_scores CAMPAIGN FILE"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.management.commands._files import campaign_or_exit, no_file, tell
from annotation.services.errors import DomainError
from scoring.services.scores_import import scores_import


class Command(BaseCommand):
    help = "Import the scores of a metric of your own; importing again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument("file")
        parser.add_argument(
            "--name", default="", help="what the column score is called (default: the file's name)"
        )
        parser.add_argument(
            "--lower-is-better", action="store_true", help="in every column of scores"
        )
        parser.add_argument(
            "--lower", action="append", default=[], metavar="NAME",
            help="lower is better in the column score.NAME; may be given several times",
        )  # fmt: skip
        parser.add_argument("--format", choices=["csv", "tsv", "jsonl"])
        parser.add_argument("--raw", action="store_true", help="keep leading apostrophes")
        parser.add_argument("--dry-run", action="store_true", help="check only")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = campaign_or_exit(options["campaign"])
        try:
            with Path(options["file"]).open("rb") as stream:
                report = scores_import(
                    campaign=campaign, stream=stream, name=options["file"], label=options["name"],
                    higher_is_better=not options["lower_is_better"], lower=options["lower"],
                    format=options["format"], raw=options["raw"], dry_run=options["dry_run"],
                    actor=None,
                )  # fmt: skip
        except OSError as error:
            no_file(options["file"], error)
        except DomainError as error:
            raise CommandError(error.message, returncode=2) from error
        tell(self, report)

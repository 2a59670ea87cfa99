"""manage.py import_scores CAMPAIGN FILE"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.management.commands._files import ImportCommand
from scoring.runs.score_import import scores_import


class Command(ImportCommand):
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
            "--lower",
            action="append",
            default=[],
            metavar="NAME",
            help="lower is better in the column score.NAME; may be given several times",
        )
        parser.add_argument("--format", choices=["csv", "tsv", "jsonl"])
        parser.add_argument("--raw", action="store_true", help="keep leading apostrophes")
        parser.add_argument("--dry-run", action="store_true", help="check only")

    def work(self, options: dict[str, Any]) -> None:
        self.import_file(
            options,
            scores_import,
            label=options["name"],
            higher_is_better=not options["lower_is_better"],
            lower=options["lower"],
        )

"""manage.py import_judgments CAMPAIGN FILE"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.importing.judgments_write import judgments_import
from annotation.management.commands._files import ImportCommand


class Command(ImportCommand):
    help = "Import judgments made elsewhere; importing again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_file_arguments(parser, "ccb", "csv", "tsv", "jsonl", "ppdb")
        parser.add_argument("--annotator", metavar="CODE", help="for files that name none")
        parser.add_argument(
            "--anonymous",
            action="store_true",
            help="nobody knows who judged: annotators without identity, anonymous-1, anonymous-2 "
            "...; with --annotator NAME, anonymous-NAME-1 ...",
        )
        parser.add_argument(
            "--repeats",
            choices=["error", "number"],
            default="error",
            help="number: the same judgment again is the next occasion, in file order",
        )
        parser.add_argument(
            "--fill-slots",
            action="store_true",
            help="completely judged sheets fill free places, so that nobody judges them again",
        )

    def work(self, options: dict[str, Any]) -> None:
        self.import_file(
            options,
            judgments_import,
            what="judgments",
            annotator=options["annotator"],
            repeats=options["repeats"],
            fill_slots=options["fill_slots"],
            anonymous=options["anonymous"],
        )

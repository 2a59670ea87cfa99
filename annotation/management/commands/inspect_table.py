"""manage.py inspect_table FILE"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.errors import Invalid
from annotation.importers.tables.inspecting import inspection_lines
from annotation.importers.tables.mapping import KINDS
from annotation.importing.tables import table_inspect
from annotation.management.campaign_command import campaign_or_exit
from paraanno.common.texts import cannot_be_read, sentence_json


class Command(BaseCommand):
    help = (
        "How a table is written (encoding, delimiter, sheets) and what its columns probably are; "
        "the object `map` of --json, changed as needed, is what --map of the imports takes."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--what", choices=KINDS, help="what it holds; guessed by default")
        parser.add_argument("--sheet", default="", metavar="NAME", help="the best by default")
        parser.add_argument("--campaign", metavar="SLUG", help="whose scales are recognised")
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["file"]
        campaign = campaign_or_exit(options["campaign"]) if options["campaign"] else None
        try:
            with Path(path).open("rb") as stream:
                inspection = table_inspect(
                    stream=stream,
                    name=path,
                    what=options["what"],
                    sheet=options["sheet"],
                    campaign=campaign,
                )
        except OSError as error:
            raise CommandError(f"{path}:1: {cannot_be_read(error)}", returncode=2) from error
        except Invalid as error:
            line = error.data.get("line", 1)
            raise CommandError(f"{path}:{line}: {error.message}", returncode=2) from error
        if options["json"]:
            self.stdout.write(json.dumps(sentence_json(inspection.to_json()), ensure_ascii=False))
            return
        for line in inspection_lines(inspection):
            self.stdout.write(line)

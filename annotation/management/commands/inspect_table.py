"""manage.py inspect_table FILE"""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandParser

from annotation.errors import Invalid
from annotation.importers.tables.inspecting import inspection_lines
from annotation.importers.tables.mapping import KINDS
from annotation.importing.tables import table_inspect
from annotation.management.site_command import SiteCommand
from paraanno.common.texts import sentence_json


class Command(SiteCommand):
    help = (
        "How a table is written (encoding, delimiter, sheets) and what its columns probably are; "
        "the object `map` of --json, changed as needed, is what --map of the imports takes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--what", choices=KINDS, help="what it holds; guessed by default")
        parser.add_argument("--sheet", default="", metavar="NAME", help="the best by default")
        parser.add_argument("--campaign", metavar="SLUG", help="whose scales are recognised")
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def work(self, options: dict[str, Any]) -> None:
        path = options["file"]
        campaign = self.campaign(options["campaign"]) if options["campaign"] else None
        try:
            with self.reading(path) as stream:
                inspection = table_inspect(
                    stream=stream,
                    name=path,
                    what=options["what"],
                    sheet=options["sheet"],
                    campaign=campaign,
                )
        except Invalid as error:
            self.refuse(f"{path}:{error.data.get('line', 1)}: {error.message}")
        if options["json"]:
            self.stdout.write(json.dumps(sentence_json(inspection.to_json()), ensure_ascii=False))
            return
        for line in inspection_lines(inspection):
            self.stdout.write(line)

"""manage.py export CAMPAIGN --what WHAT"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.management.site_command import SiteCommand
from annotation.models import Campaign
from scoring.exports.services import FORMATS, WHAT, export_check, export_write
from scoring.management.command_files import atomic_file
from scoring.stats.gold.latent import METHODS


class Command(SiteCommand):
    help = (
        "Export items, judgments, gold, the rating matrix, an evaluation file or all for a paper."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument("--what", required=True, choices=WHAT)
        parser.add_argument("--format", default="csv", choices=FORMATS)
        parser.add_argument("--scale", help="for the matrix")
        parser.add_argument("--annotator", metavar="CODE", help="for a judged evaluation file")
        parser.add_argument("--method", help=f"of gold: {', '.join(METHODS)} (default mean)")
        parser.add_argument("--raw", action="store_true", help="no apostrophes before = + - @")
        parser.add_argument("-o", "--output", metavar="FILE", help="standard output by default")

    def work(self, options: dict[str, Any]) -> None:
        campaign = self.campaign(options["campaign"])
        chosen = {
            name: options[name] for name in ("what", "format", "scale", "annotator", "method")
        }
        try:
            export_check(campaign=campaign, **chosen)
            if options["output"] is None:
                export_write(
                    campaign=campaign, stream=sys.stdout.buffer, raw=options["raw"], **chosen
                )
                return
            self._to_file(campaign, Path(options["output"]), options["raw"], chosen)
        except OSError as error:
            self.refuse(f"{options['output']}: {error.strerror}")

    def _to_file(
        self, campaign: Campaign, path: Path, raw: bool, chosen: Mapping[str, Any]
    ) -> None:
        with atomic_file(path) as stream:
            rows = export_write(campaign=campaign, stream=stream, raw=raw, **chosen)
        unit = "files" if chosen["what"] == "paper" else "rows"
        self.stderr.write(f"{rows} {unit} written to {path}.")

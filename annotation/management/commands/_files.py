"""The base of commands that import a file, and templates read from files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from django.core.management.base import CommandParser

from annotation.campaigns.templating.changes import template_read
from annotation.errors import Invalid, Unsure
from annotation.importers.campaign_template import TemplateRead
from annotation.importers.tables import ColumnMap, is_book
from annotation.importers.tables.inspecting import inspection_lines
from annotation.importing.report import ImportReport
from annotation.importing.tables import (
    agreed,
    column_map,
    lines_of_changes,
    mapping_guess,
    mapping_keep,
)
from annotation.management.site_command import SiteCommand
from annotation.models import Campaign


class ImportCommand(SiteCommand):
    """A command that passes a file to an importer and prints its report."""

    def add_file_arguments(self, parser: CommandParser, *formats: str) -> None:
        """Add what all imports take."""
        parser.add_argument("campaign", help="the campaign's short name (slug)")
        parser.add_argument("file")
        parser.add_argument("--format", choices=formats)
        parser.add_argument(
            "--map",
            metavar="MAP.json",
            dest="map_file",
            help="what the columns of the table are: the object `map` of inspect_table --json",
        )
        parser.add_argument("--sheet", default="", metavar="NAME", help="of a spreadsheet")
        parser.add_argument(
            "--accept-unsure",
            action="store_true",
            help="read a table as it is guessed, whatever asks somebody to look",
        )
        parser.add_argument("--raw", action="store_true", help="keep leading apostrophes")
        parser.add_argument(
            "--dry-run", action="store_true", help="check only, and show what would change"
        )

    def import_file(
        self,
        options: Mapping[str, Any],
        importer: Callable[..., ImportReport],
        *,
        what: str | None = None,
        **more: Any,
    ) -> None:
        """Import the file and report it, on stderr where it has problems.

        Without `what` the file is no table of texts, judgments or gold, and takes no mapping. A
        spreadsheet or data file without a mapping is read as its columns are guessed, which is
        reported. While a column asks somebody to look, nothing is imported without
        --accept-unsure, also where a mapping is given.
        """
        campaign = self.campaign(options["campaign"], writes=True)
        path = options["file"]
        with self.reading(path) as stream:
            mapping = None
            if what is not None:
                more["mapping"] = mapping = self._mapping(campaign, stream, what, options)
            report = importer(
                campaign=campaign,
                stream=stream,
                name=path,
                format=options["format"],
                raw=options["raw"],
                dry_run=options["dry_run"],
                actor=None,
                **more,
            )
        if mapping is not None and report.batch is not None:
            mapping_keep(campaign=campaign, mapping=mapping, file_name=path, actor=None)
        self._report(report)

    def _mapping(
        self, campaign: Campaign, stream: BinaryIO, what: str, options: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        """Return the mapping that is given or guessed; None for a file that needs none."""
        path, sheet = options["file"], options["sheet"]
        if options["map_file"]:
            try:
                given = self._read_map(options["map_file"])
                mapping = column_map({**given, "sheet": sheet or given.get("sheet")})
            except Invalid as error:
                self.refuse(f"{options['map_file']}:1: {error.message}")
            return self._agreed(options["map_file"], mapping, options)
        if not sheet and (options["format"] or not is_book(path)):
            return None
        try:
            inspection = mapping_guess(
                campaign=campaign, stream=stream, name=path, what=what, sheet=sheet
            )
        except Invalid as error:
            self.refuse(f"{path}:{error.data.get('line', 1)}: {error.message}")
        for line in inspection_lines(inspection):
            self.stdout.write(line)
        return self._agreed(path, inspection.mapping, options)

    def _agreed(self, path: str, mapping: ColumnMap, options: Mapping[str, Any]) -> dict[str, Any]:
        try:
            named = bool(options.get("annotator") or options.get("anonymous"))
            return agreed(mapping, accepted=options["accept_unsure"], named=named)
        except Unsure as error:
            self.refuse(f"{path}:1: {error.message}")

    def _read_map(self, path: str) -> dict[str, Any]:
        with self.reading(path) as stream:
            text = stream.read()
        try:
            mapping = json.loads(text.decode())
        except (ValueError, RecursionError) as error:
            self.refuse(f"{path}:1: this is not JSON ({error})")
        if isinstance(mapping, dict) and isinstance(mapping.get("map"), dict):
            mapping = mapping["map"]  # the whole answer of inspect_table
        if not isinstance(mapping, dict):
            self.refuse(f"{path}:1: the mapping is not a JSON object")
        return mapping

    def _report(self, report: ImportReport) -> None:
        """Print counts of new rows; refused with the problems, where there are any."""
        if not report.ok:
            self.refuse_lines(report.problems)
        for problem in report.problems:
            self.stderr.write(str(problem))
        new = ", ".join(
            f"{count} {name.replace('_', ' ')}" for name, count in report.counts.items()
        )
        verb = "would add" if report.dry_run else "added"
        for line in lines_of_changes(report.changes):
            self.stdout.write(line)
        self.stdout.write(f"{report.rows} rows read; {verb}: {new or 'nothing'}.")


def template_or_exit(command: SiteCommand, path: str) -> TemplateRead:
    """Read a template; with any error, print all with their lines and exit with code 2."""
    with command.reading(path) as stream:
        read = template_read(data=stream.read(), name=path)
    if read.template is None:
        command.refuse_lines(read.problems)
    return read

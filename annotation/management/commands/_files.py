"""Shared parts of the commands about imports and templates."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.campaigns.templating.changes import template_read
from annotation.errors import DomainError, Invalid, Unsure
from annotation.importers import TemplateRead
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
from annotation.management.campaign_command import campaign_or_exit
from annotation.models import Campaign
from paraanno.common.texts import cannot_be_read


def add_file_arguments(parser: CommandParser, *formats: str) -> None:
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
    command: BaseCommand,
    options: Mapping[str, Any],
    importer: Callable[..., ImportReport],
    *,
    what: str | None = None,
    **more: Any,
) -> None:
    """Pass a file to an importer and print its report. Exits with code 2 on errors.

    Without `what` the file is no table of texts, judgments or gold, and takes no mapping. A
    spreadsheet or data file without a mapping is read as its columns are guessed, which is
    reported; while anything asks, with a mapping or without, nothing is imported unless
    --accept-unsure is given.
    """
    campaign = campaign_or_exit(options["campaign"], writes=True)
    path = options["file"]
    try:
        with Path(path).open("rb") as stream:
            mapping = None
            if what is not None:
                more["mapping"] = mapping = _mapping(command, campaign, stream, what, options)
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
    except OSError as error:
        raise CommandError(f"{path}:1: {cannot_be_read(error)}", returncode=2) from error
    except DomainError as error:
        raise CommandError(error.message, returncode=2) from error
    _tell(command, report)


def _mapping(
    command: BaseCommand,
    campaign: Campaign,
    stream: BinaryIO,
    what: str,
    options: Mapping[str, Any],
) -> dict[str, Any] | None:
    """Return the mapping that is given or guessed; None for a file that needs none."""
    path, sheet = options["file"], options["sheet"]
    if options["map_file"]:
        try:
            given = _read_map(Path(options["map_file"]))
            mapping = column_map({**given, "sheet": sheet or given.get("sheet")})
        except Invalid as error:
            message = f"{options['map_file']}:1: {error.message}"
            raise CommandError(message, returncode=2) from error
        return _agreed(options["map_file"], mapping, options)
    if not sheet and (options["format"] or not is_book(path)):
        return None
    try:
        seen = mapping_guess(campaign=campaign, stream=stream, name=path, what=what, sheet=sheet)
    except Invalid as error:
        line = error.data.get("line", 1)
        raise CommandError(f"{path}:{line}: {error.message}", returncode=2) from error
    for line in inspection_lines(seen):
        command.stdout.write(line)
    return _agreed(path, seen.mapping, options)


def _agreed(path: str, mapping: ColumnMap, options: Mapping[str, Any]) -> dict[str, Any]:
    try:
        named = bool(options.get("annotator") or options.get("anonymous"))
        return agreed(mapping, accepted=options["accept_unsure"], named=named)
    except Unsure as error:
        raise CommandError(f"{path}:1: {error.message}", returncode=2) from error


def _read_map(path: Path) -> dict[str, Any]:
    try:
        mapping = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"{path}:1: {cannot_be_read(error)}", returncode=2) from error
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path}:1: this is not JSON ({error})", returncode=2) from error
    if isinstance(mapping, dict) and isinstance(mapping.get("map"), dict):
        mapping = mapping["map"]  # the whole answer of inspect_table
    if not isinstance(mapping, dict):
        raise CommandError(f"{path}:1: the mapping is not a JSON object", returncode=2)
    return mapping


def _tell(command: BaseCommand, report: ImportReport) -> None:
    """Print problems to stderr, one per line, and counts of new rows to stdout. Exits with
    code 2 on errors.
    """
    for problem in report.problems:
        command.stderr.write(str(problem))
    if not report.ok:
        sys.exit(2)
    new = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in report.counts.items())
    verb = "would add" if report.dry_run else "added"
    for line in lines_of_changes(report.changes):
        command.stdout.write(line)
    command.stdout.write(f"{report.rows} rows read; {verb}: {new or 'nothing'}.")


def template_or_exit(command: BaseCommand, path: str) -> TemplateRead:
    """Read a template; with any error, print all with their lines and exit with code 2."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise CommandError(f"{path}:1: {cannot_be_read(error)}", returncode=2) from error
    read = template_read(data=data, name=path)
    if read.template is None:
        for problem in read.problems:
            command.stderr.write(str(problem))
        sys.exit(2)
    return read

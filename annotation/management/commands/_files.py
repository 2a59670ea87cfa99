"""Shared parts of the import commands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import DomainError
from annotation.models import Campaign
from annotation.services.importing import ImportReport
from paraanno.plain.lines import cannot_be_read


def campaign_or_exit(slug: str) -> Campaign:
    """Return the campaign with this slug; exit with code 2 if there is none."""
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        raise CommandError(f"There is no campaign {slug!r}.", returncode=2)
    return campaign


def import_file(
    command: BaseCommand,
    options: Mapping[str, Any],
    importer: Callable[..., ImportReport],
    **more: Any,
) -> None:
    """Pass a file to an importer and print its report. Exits with code 2 on errors."""
    campaign = campaign_or_exit(options["campaign"])
    path = options["file"]
    try:
        with Path(path).open("rb") as stream:
            report = importer(
                campaign=campaign, stream=stream, name=path, format=options["format"],
                raw=options["raw"], dry_run=options["dry_run"], actor=None, **more,
            )  # fmt: skip
    except OSError as error:
        raise CommandError(f"{path}:1: {cannot_be_read(error)}", returncode=2) from error
    except DomainError as error:
        raise CommandError(error.message, returncode=2) from error
    _tell(command, report)


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
    command.stdout.write(f"{report.rows} rows read; {verb}: {new or 'nothing'}.")

"""What the import commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Campaign
from annotation.services.errors import DomainError
from annotation.services.importing import ImportReport


def campaign_or_exit(slug: str) -> Campaign:
    """The campaign of the slug; exits with code 2 where there is none."""
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
    """Give a file to an importer, and tell what came of it. Exits with code 2 on errors."""
    campaign = campaign_or_exit(options["campaign"])
    path = options["file"]
    try:
        with Path(path).open("rb") as stream:
            report = importer(
                campaign=campaign, stream=stream, name=path, format=options["format"],
                raw=options["raw"], dry_run=options["dry_run"], actor=None, **more,
            )  # fmt: skip
    except OSError as error:
        raise CommandError(f"{path}:1: cannot be read: {error.strerror}", returncode=2) from error
    except DomainError as error:
        raise CommandError(error.message, returncode=2) from error
    _tell(command, report)


def _tell(command: BaseCommand, report: ImportReport) -> None:
    """Problems on stderr, a line each; what is new on stdout. Exits with code 2 on errors."""
    for problem in report.problems:
        command.stderr.write(str(problem))
    if not report.ok:
        sys.exit(2)
    new = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in report.counts.items())
    verb = "would add" if report.dry_run else "added"
    command.stdout.write(f"{report.rows} rows read; {verb}: {new or 'nothing'}.")

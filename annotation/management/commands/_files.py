"""What the import commands share."""

from __future__ import annotations

import sys
from typing import NoReturn

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Campaign
from annotation.services.importing import ImportReport


def campaign_or_exit(slug: str) -> Campaign:
    """The campaign of the slug; exits with code 2 where there is none."""
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None:
        raise CommandError(f"There is no campaign {slug!r}.", returncode=2)
    return campaign


def no_file(path: str, error: OSError) -> NoReturn:
    """Exit because the file cannot be read."""
    raise CommandError(f"{path}:1: cannot be read: {error.strerror}", returncode=2)


def tell(command: BaseCommand, report: ImportReport) -> None:
    """Problems on stderr, a line each; what is new on stdout. Exits with code 2 on errors."""
    for problem in report.problems:
        command.stderr.write(str(problem))
    if not report.ok:
        sys.exit(2)
    new = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in report.counts.items())
    verb = "would add" if report.dry_run else "added"
    command.stdout.write(f"{report.rows} rows read; {verb}: {new or 'nothing'}.")

"""manage.py add_resource KIND FILE"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.access import place_of
from annotation.errors import Invalid
from annotation.management.campaign_command import campaign_or_exit
from scoring.metrics.resources.kinds import kinds
from scoring.resources.services import resource_add


class Command(BaseCommand):
    help = "Check a file that metrics need, keep it in the data folder, and offer it to runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=kinds())
        parser.add_argument("file", type=Path)
        parser.add_argument("--name", default="", help="what people see (default: the file's name)")
        parser.add_argument(
            "--campaign",
            default="",
            metavar="SLUG",
            help="offer it there alone (default: to the whole site)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["campaign"]
        campaign = campaign_or_exit(slug, writes=True) if slug else None
        try:
            resource = resource_add(
                kind=options["kind"],
                path=options["file"],
                name=options["name"],
                actor=None,
                place=place_of(None, campaign),
                progress=self._tell if self.stderr.isatty() else lambda share: None,
            )
        except Invalid as refusal:
            raise CommandError(refusal.message, returncode=2) from refusal
        about = ", ".join(f"{name} {number}" for name, number in resource.meta.items())
        self.stdout.write(f"{resource.key} {resource}, {about}")

    def _tell(self, share: float) -> None:
        """Print progress on one line that is overwritten."""
        self.stderr.write(f"\r{share:4.0%}", ending="\n" if share >= 1 else "")
        self.stderr.flush()

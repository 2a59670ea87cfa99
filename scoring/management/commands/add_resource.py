"""manage.py add_resource KIND FILE"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.access import place_of
from annotation.management.site_command import SiteCommand
from scoring.metrics.resources.kinds import kinds
from scoring.resources.services import resource_add


class Command(SiteCommand):
    help = "Check a file that metrics need, keep it in the data folder, and offer it to runs."
    requires_system_checks = "__all__"

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

    def work(self, options: dict[str, Any]) -> None:
        slug = options["campaign"]
        campaign = self.campaign(slug, writes=True) if slug else None
        resource = resource_add(
            kind=options["kind"],
            path=options["file"],
            name=options["name"],
            actor=None,
            place=place_of(None, campaign),
            progress=self._tell if self.stderr.isatty() else lambda share: None,
        )
        about = ", ".join(f"{name} {number}" for name, number in resource.meta.items())
        self.stdout.write(f"{resource.key} {resource}, {about}")

    def _tell(self, share: float) -> None:
        """Print progress on one line that is overwritten."""
        self.stderr.write(f"\r{share:4.0%}", ending="\n" if share >= 1 else "")
        self.stderr.flush()

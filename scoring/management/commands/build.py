"""manage.py build RECIPE --input ROLE=KEY ..."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.management.site_command import SiteCommand
from scoring.building.recipes.recipe import names
from scoring.builds.services import build_start
from scoring.models import Build
from scoring.work.lanes import BUILDS, sweep

POLL_SECONDS = 0.5


class Command(SiteCommand):
    help = (
        "Make a resource of others, as the page of resources does; a worker's process builds it. "
        "With --wait this command builds itself where no process does."
    )
    requires_system_checks = "__all__"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("recipe", help=", ".join(names()))
        parser.add_argument(
            "--input",
            action="append",
            default=[],
            metavar="ROLE=KEY",
            help="the key of a resource, as add_resource prints it; may be repeated",
        )
        parser.add_argument(
            "--option", action="append", default=[], metavar="NAME=VALUE", help="may be repeated"
        )
        parser.add_argument("--name", default="", help="of the resource that is made")
        parser.add_argument(
            "--campaign",
            default="",
            metavar="SLUG",
            help="offer the result there alone (default: to the whole site)",
        )
        parser.add_argument("--wait", action="store_true", help="until the build is over")

    def work(self, options: dict[str, Any]) -> None:
        slug = options["campaign"]
        campaign = self.campaign(slug, writes=True) if slug else None
        build, _new = build_start(
            recipe=options["recipe"],
            inputs=self._pairs("--input", options["input"]),
            options=self._pairs("--option", options["option"]),
            name=options["name"],
            actor=None,
            campaign=campaign,
        )
        while options["wait"] and build.status in Build.ACTIVE:
            sweep(idle=False, queues=())  # Resume what a killed process left.
            if not BUILDS.run():
                time.sleep(POLL_SECONDS)
            build.refresh_from_db()
        made = f", resource {build.resource.key}" if build.resource else ""
        self.stdout.write(f"{build.key} {build.name}: {build.get_status_display()}{made}")
        if options["wait"] and build.status != Build.Status.DONE:
            raise CommandError(build.error or "The build was cancelled.", returncode=1)

    def _pairs(self, flag: str, given: list[str]) -> dict[str, str]:
        pairs: dict[str, str] = {}
        for text in given:
            name, equals, value = text.partition("=")
            if not (name and equals) or name in pairs:
                self.refuse(f"{flag} {text}: write NAME=VALUE, each name once.")
            pairs[name] = value
        return pairs

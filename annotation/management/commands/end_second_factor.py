"""Take a second factor away, where nobody is left who can do it on the page."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from annotation.accounts.login import factor_end_by_name
from annotation.management.site_command import SiteCommand


class Command(SiteCommand):
    """The account then logs in with its password alone, or sets up another second factor."""

    help = __doc__
    requires_system_checks = "__all__"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the account's name")

    def work(self, options: dict[str, Any]) -> None:
        factor_end_by_name(name=options["name"])
        self.stdout.write(f"{options['name']} has no second factor any more.")

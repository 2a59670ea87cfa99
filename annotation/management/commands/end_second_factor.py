"""Take a second factor away, where nobody is left who can do it on the page."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.accounts.login import factor_end_by_name
from annotation.errors import NotFound


class Command(BaseCommand):
    """The account then logs in with its password alone, or sets up another second factor."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the account's name")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            factor_end_by_name(name=options["name"])
        except NotFound as refusal:
            raise CommandError(refusal.message, returncode=2) from refusal
        self.stdout.write(f"{options['name']} has no second factor any more.")

"""manage.py load_demo [--runs]"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from annotation.campaigns.demo import LOGINS, demo_load, logins_keep
from scoring.demo import demo_runs_ask


class Command(BaseCommand):
    help = "Make the demo campaign with simulated judgments and three logins; repeatable."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--runs",
            action="store_true",
            help="have a worker score the demo with all metrics",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        campaign, passwords = demo_load()
        path = Path(settings.DATA_DIR) / "demo_logins.txt"
        logins_keep(passwords=passwords, path=path)
        if options["runs"]:
            demo_runs_ask(campaign=campaign)
        self.stdout.write(f"Campaign {campaign.slug} is ready.")
        for name, password in passwords.items():
            self.stdout.write(f"  {name}  {password}  ({LOGINS[name]})")
        if passwords:
            self.stdout.write(f"The passwords are kept in {path}.")

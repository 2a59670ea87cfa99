"""manage.py load_demo"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from annotation.services.campaigns.demo import LOGINS, demo_load, logins_keep


class Command(BaseCommand):
    help = "Make the demo campaign with simulated judgments and three logins; repeatable."

    def handle(self, *args: Any, **options: Any) -> None:
        campaign, passwords = demo_load()
        path = Path(settings.DATA_DIR) / "demo_logins.txt"
        logins_keep(passwords=passwords, path=path)
        self.stdout.write(f"Campaign {campaign.slug} is ready.")
        for name, password in passwords.items():
            self.stdout.write(f"  {name}  {password}  ({LOGINS[name]})")
        if passwords:
            self.stdout.write(f"The passwords are kept in {path}.")

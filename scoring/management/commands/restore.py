"""manage.py restore FILE.zip [--as SLUG] [--owner LOGIN]"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser

from annotation.management.site_command import SiteCommand
from scoring.archives.file_format import ArchiveRefused
from scoring.archives.restore import archive_restore


class Command(SiteCommand):
    help = "Make a new campaign from an archive, without logins and rights."
    requires_system_checks = "__all__"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="what `archive` wrote")
        parser.add_argument("--as", dest="slug", default="", metavar="SLUG", help="its short name")
        parser.add_argument("--owner", metavar="LOGIN", help="who owns it; nobody by default")

    def work(self, options: dict[str, Any]) -> None:
        path = options["file"]
        try:
            with self.reading(path) as stream:
                campaign = archive_restore(
                    stream=stream, actor=self._owner(options["owner"]), slug=options["slug"]
                )
        except ArchiveRefused as refusal:
            self.refuse(f"{path}:1: {refusal}")
        self.stdout.write(f"Campaign {campaign.slug} is restored.")

    def _owner(self, name: str | None) -> User | None:
        if name is None:
            return None
        user = User.objects.filter(username=name).first()
        if user is None:
            self.refuse(f"There is no login {name!r}.")
        return user

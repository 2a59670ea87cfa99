"""manage.py restore FILE.zip [--as SLUG] [--owner LOGIN]"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.errors import DomainError
from paraanno.common.texts import cannot_be_read
from scoring.archives.file_format import ArchiveRefused
from scoring.archives.restore import archive_restore


class Command(BaseCommand):
    help = "Make a new campaign from an archive, without logins and rights."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="what `archive` wrote")
        parser.add_argument("--as", dest="slug", default="", metavar="SLUG", help="its short name")
        parser.add_argument("--owner", metavar="LOGIN", help="who owns it; nobody by default")

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["file"]
        try:
            with Path(path).open("rb") as stream:
                campaign = archive_restore(
                    stream=stream, actor=self._owner(options["owner"]), slug=options["slug"]
                )
        except OSError as error:
            raise CommandError(f"{path}:1: {cannot_be_read(error)}", returncode=2) from error
        except ArchiveRefused as refusal:
            raise CommandError(f"{path}:1: {refusal}", returncode=2) from refusal
        except DomainError as refusal:
            raise CommandError(refusal.message, returncode=2) from refusal
        self.stdout.write(f"Campaign {campaign.slug} is restored.")

    def _owner(self, name: str | None) -> User | None:
        if name is None:
            return None
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"There is no login {name!r}.", returncode=2)
        return user

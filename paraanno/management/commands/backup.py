"""manage.py backup FOLDER | --nightly"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from paraanno.backups.copies import BackupRefused
from paraanno.backups.make import backup_make, nightly_make


class Command(BaseCommand):
    help = "Write database, files and secret key into a new folder, while the site runs."

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("folder", type=Path, nargs="?", help="a new or empty folder")
        which.add_argument(
            "--nightly",
            action="store_true",
            help="into PARAANNO_BACKUP_DIR, if one is due, as the workers' timer does",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            folder = nightly_make() if options["nightly"] else options["folder"]
            if folder is None:
                self.stdout.write("No backup is due.")
                return
            if not options["nightly"]:
                backup_make(folder)
        except (BackupRefused, OSError) as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(f"The backup is in {folder}. It holds the site's secrets.")

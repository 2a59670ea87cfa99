"""manage.py restore_backup FOLDER"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.verify import rules
from paraanno.backups.copies import BackupRefused
from paraanno.backups.make import backup_restore


class Command(BaseCommand):
    help = "Check a backup, put it in the place of this site, and verify every campaign."
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="what `manage.py backup` wrote")
        parser.add_argument("--replace", action="store_true", help="take the place of a used site")
        parser.add_argument("--noinput", action="store_true", help="with --replace: do not ask")

    def handle(self, *args: Any, **options: Any) -> None:
        def agreed(content: str) -> bool:
            if options["noinput"]:
                return True
            self.stdout.write(f"This site has {content}. They will be gone.")
            return input("Type `replace` to go on: ").strip() == "replace"

        try:
            done = backup_restore(
                options["folder"].expanduser().absolute(),
                replace=options["replace"],
                agreed=agreed,
            )
        except (BackupRefused, OSError) as error:
            raise CommandError(str(error), returncode=2) from error
        for violation in done.broken:
            self.stderr.write(violation)
        if done.broken:
            sys.exit(1)
        self.stdout.write(
            f"The site of {done.manifest.made_at} is back. Campaigns: {done.campaigns}; "
            f"{len(rules())} rules hold in each of them."
        )
        if not done.manifest.has_key:
            self.stdout.write("Set PARAANNO_SECRET_KEY as it was: the backup does not have it.")

"""manage.py add_resource KIND FILE"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.services.errors import Invalid
from scoring.services.resources import KINDS, resource_add


class Command(BaseCommand):
    help = "Check a file that metrics need, keep it in the data folder, and offer it to runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=KINDS)
        parser.add_argument("file", type=Path)
        parser.add_argument("--name", default="", help="what people see (default: the file's name)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            resource = resource_add(
                kind=options["kind"], path=options["file"], name=options["name"], actor=None
            )
        except Invalid as refusal:
            raise CommandError(refusal.message, returncode=2) from refusal
        self.stdout.write(f"{resource.key} {resource}, {resource.meta['words']} words")

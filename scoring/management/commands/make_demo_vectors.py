"""manage.py make_demo_vectors"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from scoring.services.demo.files import RESOURCES, demo_rows, train_vectors


class Command(BaseCommand):
    help = "Train the word vectors of the demo on its own texts (after a change of these)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", type=Path, default=RESOURCES / "vectors.txt")

    def handle(self, *args: Any, **options: Any) -> None:
        n = train_vectors(demo_rows(), options["to"])
        self.stdout.write(f"{n} words in {options['to']}")

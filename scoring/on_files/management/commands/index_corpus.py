"""`index_corpus TEXT -o STORE`: an index of a text's phrases, without a database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from scoring.building.corpora import index_corpus
from scoring.management.command_files import atomic_folder
from scoring.on_files.file_command import FileCommand, add_text


class Command(FileCommand):
    help = "Index a text of one sentence a line, so that its phrases are counted; no database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_text(parser)
        parser.add_argument(
            "-o",
            "--output",
            type=Path,
            required=True,
            metavar="STORE",
            help="the folder to write; a store that is there is replaced",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        output: Path = options["output"]
        with self.refusing(output), atomic_folder(output) as folder:
            numbers = index_corpus(
                options["text"],
                folder,
                tokenize=options["tokenize"],
                lowercase=options["lowercase"],
                progress=self.tell_share,
            )
        self.stdout.write(
            f"{numbers['sentences']} sentences, {numbers['words']} words "
            f"({numbers['distinct']} distinct) in {output}"
        )

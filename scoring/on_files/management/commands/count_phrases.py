"""`count_phrases STORE PHRASES.txt`: how often phrases occur in a corpus, without a database."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from scoring.building.corpora import open_corpus
from scoring.metrics.files import Problems, text_lines
from scoring.on_files.file_command import FileCommand


class Command(FileCommand):
    help = "Count the phrases of a file (one a line) in a corpus of index_corpus; no database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("store", type=Path, metavar="STORE", help="made by index_corpus")
        parser.add_argument(
            "phrases",
            type=Path,
            metavar="PHRASES.txt",
            help="one phrase a line, cut into words as the corpus was; blank lines are skipped",
        )
        parser.add_argument(
            "--json", action="store_true", help='print {"counts": {phrase: number}}'
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["phrases"]
        with self.refusing():
            corpus = open_corpus(options["store"])
            problems = Problems(path)
            phrases = list(dict.fromkeys(text for _, text in text_lines(path, problems)))
            problems.check()
        counts = dict(zip(phrases, corpus.counts(phrases).tolist(), strict=True))
        if options["json"]:
            self.stdout.write(json.dumps({"counts": counts}, ensure_ascii=False))
        else:
            for phrase, n in counts.items():
                self.stdout.write(f"{n}\t{phrase}")

"""`pivot EN FOREIGN LINKS ... -o TABLE.tsv`: a paraphrase table from linked texts, without a
database."""

from __future__ import annotations

import io
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from scoring.building.alignment.links import read_links
from scoring.building.alignment.parallel import Words, read_parallel, read_words
from scoring.building.paraphrases.counting import LinkedText, linked_text
from scoring.building.paraphrases.pivot import LEAST, MOST
from scoring.building.paraphrases.table import LONGEST, PivotTable, paraphrase, save_for_paraeval
from scoring.management.atomic_file import atomic_file
from scoring.metrics.files import FileRefused, sha256

_LONGEST = 8  # Words of a phrase, at most.


class Command(BaseCommand):
    help = "Paraphrases of phrases through their translations; needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", nargs="+", type=Path, metavar="EN FOREIGN LINKS",
            help="two texts line by line and the links of their words, once or more",
        )  # fmt: skip
        parser.add_argument(
            "--max-words", type=int, default=LONGEST, metavar="N", help="of a phrase (5)"
        )
        parser.add_argument(
            "--least", type=float, default=LEAST, metavar="P",
            help=f"leave out paraphrases of lower probability ({LEAST})",
        )  # fmt: skip
        parser.add_argument(
            "--most", type=int, metavar="N",
            help=f"keep so many paraphrases of a phrase ({MOST}; all with --least 0 or --most 0)",
        )  # fmt: skip
        parser.add_argument(
            "--min-count", type=int, default=1, metavar="N",
            help="leave out phrase pairs seen fewer times (1)",
        )  # fmt: skip
        parser.add_argument(
            "--phrases", type=Path, metavar="FILE",
            help="only of these phrases, one a line: far less memory for large texts",
        )  # fmt: skip
        parser.add_argument(
            "--table-store", type=Path, metavar="FOLDER",
            help="also write the table as the metric paraeval maps it: table=FOLDER",
        )  # fmt: skip
        parser.add_argument("-o", "--output", type=Path, required=True, metavar="TABLE.tsv")

    def handle(self, *args: Any, **options: Any) -> None:
        problems = _problems(options)
        if problems:
            self._refuse(problems)
        try:
            wanted = _phrases(options["phrases"])
            files = options["files"]
            texts = [
                self._read(files[at : at + 3], options["max_words"])
                for at in range(0, len(files), 3)
            ]
        except FileRefused as refusal:
            self._refuse([str(line) for line in refusal.lines])
        most = options["most"]
        table = paraphrase(
            texts, longest=options["max_words"], least=options["least"],
            most=most if most is not None else MOST if options["least"] > 0 else 0,
            min_count=options["min_count"], wanted=wanted,
        )  # fmt: skip
        self._write(table, options["output"], options["table_store"])
        with_some = len(set(table.rows.phrase.tolist()))
        if wanted is not None and with_some < len(wanted):
            self.stderr.write(
                f"{options['phrases']}:0: warning: {len(wanted) - with_some} of {len(wanted)} "
                "phrases have no paraphrase."
            )
        self.stderr.write(f"{len(table.rows)} paraphrases of {with_some} phrases.")

    def _read(self, files: list[Path], longest: int) -> LinkedText:
        text = read_parallel(files[0], files[1])
        if warning := text.few():
            self.stderr.write(f"{files[0]}:0: warning: {warning}")
        links = read_links(files[2], text.english, text.foreign)
        return linked_text(text.english, text.foreign, links, longest=longest)

    def _write(self, table: PivotTable, output: Path, folder: Path | None) -> None:
        try:
            with (
                atomic_file(output) as raw,
                io.TextIOWrapper(raw, encoding="utf-8", newline="") as stream,
            ):
                stream.writelines(table.lines())
            if folder is not None and not save_for_paraeval(
                table, folder, source_sha256=sha256(output)
            ):
                self._refuse([f"{folder}:0: no pair differs in its words, so there is no table."])
        except OSError as error:
            self._refuse([f"{error.filename or output}:0: cannot be written ({error.strerror})."])

    def _refuse(self, problems: list[str]) -> None:
        for problem in problems:
            self.stderr.write(problem)
        sys.exit(2)


def _problems(options: dict[str, Any]) -> list[str]:
    found = []
    if len(options["files"]) % 3:
        found.append("Give EN FOREIGN LINKS, three files for each text.")
    if not 1 <= options["max_words"] <= _LONGEST:
        found.append(f"--max-words: use 1 to {_LONGEST}.")
    if not 0 <= options["least"] <= 1:
        found.append("--least: a probability is from 0 to 1.")
    if (options["most"] or 0) < 0 or options["min_count"] < 1:
        found.append("--most is 0 or more, --min-count 1 or more.")
    output, folder = options["output"], options["table_store"]
    if output.resolve() in {path.resolve() for path in options["files"]}:
        found.append(f"{output}:0: -o names a file to be read; use another name.")
    if folder is not None and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        found.append(f"{folder}:0: --table-store needs a new or an empty folder.")
    return found


def _phrases(path: Path | None) -> list[Words] | None:
    if path is None:
        return None
    return list({tuple(words): words for words in read_words(path) if words}.values())

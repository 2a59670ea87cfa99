"""`pivot EN FOREIGN LINKS ... -o TABLE.tsv`: a paraphrase table from linked texts, without a
database."""

from __future__ import annotations

import io
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import numpy as np

from scoring.building.alignment import Words, read_links, read_parallel, read_words
from scoring.building.labels import numbered_labels, read_labels
from scoring.building.paraphrases.counting import LinkedText, linked_text
from scoring.building.paraphrases.table import (
    LEAST,
    LONGEST,
    MOST,
    PivotTable,
    build_store,
    paraphrase,
    save_for_paraeval,
    write_phrases,
)
from scoring.management.command_files import atomic_file, atomic_folder
from scoring.metrics.files import sha256
from scoring.on_files.file_command import FileCommand

_LONGEST = 8  # Words of a phrase, at most.


class Command(FileCommand):
    help = "Paraphrases of phrases through their translations; needs no database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files",
            nargs="+",
            type=Path,
            metavar="EN FOREIGN LINKS",
            help="two texts line by line and the links of their words, once or more",
        )
        parser.add_argument(
            "--max-words", type=int, default=LONGEST, metavar="N", help="of a phrase (5)"
        )
        parser.add_argument(
            "--least",
            type=float,
            default=LEAST,
            metavar="P",
            help=f"leave out paraphrases of lower probability ({LEAST})",
        )
        parser.add_argument(
            "--most",
            type=int,
            metavar="N",
            help=f"most paraphrases of a phrase ({MOST}; all with --least 0 or --most 0)",
        )
        parser.add_argument(
            "--min-count",
            type=int,
            default=1,
            metavar="N",
            help="leave out phrase pairs seen fewer times (1)",
        )
        parser.add_argument(
            "--mutual",
            action="store_true",
            help="in -o and --table-store only pairs of which each phrase is among the paraphrases "
            "of the other: better for the metric paraeval",
        )
        parser.add_argument(
            "--phrases",
            type=Path,
            metavar="FILE",
            help="only of these phrases, one a line: far less memory for large texts",
        )
        parser.add_argument(
            "--table-store",
            type=Path,
            metavar="FOLDER",
            help="also write the table as the metric paraeval maps it: table=FOLDER",
        )
        parser.add_argument(
            "--store",
            type=Path,
            metavar="FOLDER",
            help="also write what build_testset takes: with --parses, paraphrases by label",
        )
        parser.add_argument(
            "--parses",
            nargs="+",
            action="extend",
            default=[],
            type=Path,
            metavar="FILE",
            help="of the English sides, one for each: trees in brackets, or CoNLL-U; with --store",
        )
        parser.add_argument("-o", "--output", type=Path, required=True, metavar="TABLE.tsv")

    def handle(self, *args: Any, **options: Any) -> None:
        problems = _problems(options)
        if problems:
            self.refuse(*problems)
        files, parses = options["files"], options["parses"]
        names: dict[str, int] = {}
        with self.refusing():
            wanted = _phrases(options["phrases"])
            texts = [
                self._read(
                    files[3 * at : 3 * at + 3],
                    parses[at] if parses else None,
                    names,
                    options["max_words"],
                )
                for at in range(len(files) // 3)
            ]
        most = options["most"]
        table = paraphrase(
            texts,
            longest=options["max_words"],
            least=options["least"],
            most=most if most is not None else MOST if options["least"] > 0 else 0,
            min_count=options["min_count"],
            wanted=wanted,
            progress=self.tell_share,
        )
        shown = table.mutual() if options["mutual"] else table
        output: Path = options["output"]
        with (
            self.refusing(output),
            atomic_file(output) as raw,
            io.TextIOWrapper(raw, encoding="utf-8", newline="") as stream,
        ):
            stream.writelines(shown.lines())
        self._write_stores(table, shown, tuple(names), options)
        with_some = len(np.unique(shown.rows.phrase))
        if wanted is not None and with_some < len(wanted):
            self.stderr.write(
                f"{options['phrases']}:0: warning: {len(wanted) - with_some} of {len(wanted)} "
                "phrases have no paraphrase."
            )
        self.stderr.write(f"{len(shown.rows)} paraphrases of {with_some} phrases.")

    def _read(
        self, files: list[Path], parses: Path | None, names: dict[str, int], longest: int
    ) -> LinkedText:
        text = read_parallel(files[0], files[1])
        if warning := text.few():
            self.stderr.write(f"{files[0]}:0: warning: {warning}")
        links = read_links(files[2], text.english, text.foreign)
        labels = None
        if parses is not None:
            parsed = read_labels(parses, text.english, longest=longest)
            labels = numbered_labels(parsed, text.english, names)
        return linked_text(text.english, text.foreign, links, longest=longest, labels=labels)

    def _write_stores(
        self,
        table: PivotTable,
        shown: PivotTable,
        labels: tuple[str, ...],
        options: dict[str, Any],
    ) -> None:
        source = sha256(options["output"]) if options["output"].is_file() else ""
        if folder := options["store"]:
            if not table.phrases:
                self.refuse(f"{folder}:0: there is no phrase pair, so there is no store.")
            with self.refusing(folder), atomic_folder(folder) as draft:
                write_phrases(build_store(table, labels), draft, source_sha256=source)
        if folder := options["table_store"]:
            with self.refusing(folder), atomic_folder(folder) as draft:
                if not save_for_paraeval(shown, draft, source_sha256=source):
                    self.refuse(f"{folder}:0: no pair differs in its words: there is no table.")


def _problems(options: dict[str, Any]) -> list[str]:
    problems = []
    if len(options["files"]) % 3:
        problems.append("Give EN FOREIGN LINKS, three files for each text.")
    if not 1 <= options["max_words"] <= _LONGEST:
        problems.append(f"--max-words: use 1 to {_LONGEST}.")
    if not 0 <= options["least"] <= 1:
        problems.append("--least: a probability is from 0 to 1.")
    if (options["most"] or 0) < 0 or options["min_count"] < 1:
        problems.append("--most is 0 or more, --min-count 1 or more.")
    if options["parses"] and 3 * len(options["parses"]) != len(options["files"]):
        problems.append("--parses: give one file for each EN.")
    if options["mutual"] and options["phrases"]:
        problems.append("--mutual: with --phrases the paraphrases of the others are not known.")
    if options["parses"] and not options["store"]:
        problems.append("--parses: labels are kept in a store; give --store FOLDER.")
    output = options["output"]
    if output.resolve() in {path.resolve() for path in options["files"]}:
        problems.append(f"{output}:0: -o names a file to be read; use another name.")
    return problems


def _phrases(path: Path | None) -> list[Words] | None:
    if path is None:
        return None
    return list({tuple(words): words for words in read_words(path) if words}.values())

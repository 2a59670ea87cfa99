"""`neighbours VECTORS TEXT --variant pg1 -o PARAPHRASES.csv`: texts whose words are replaced by
their nearest ones, without a database. `--column` takes a table, and adds columns to it."""

from __future__ import annotations

import csv
import io
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from annotation.exporters.columns import Column
from annotation.exporters.writers import write_rows
from paraanno.common.cells import escape
from paraanno.common.records import format_of
from paraanno.common.texts import say
from scoring.building.vectors import (
    FEWEST_WORDS,
    REPLACE,
    SPLITS,
    VARIANTS,
    Replaced,
    Row,
    convert,
    open_texts,
    replace_words,
)
from scoring.management.command_files import atomic_file
from scoring.metrics.files import FileRefused, Problems, text_lines
from scoring.metrics.resources.vectors import Vectors, load_vectors
from scoring.on_files.file_command import FileCommand

_LOW_COVERAGE = 0.5


class Command(FileCommand):
    help = (
        "Write paraphrases of a text of one sentence a line: each word is replaced by its nearest "
        "(pg1), second (pg2) or third nearest word (pg3); no database."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "vectors",
            type=Path,
            metavar="VECTORS",
            help="a text or .bin file of word2vec, text of GloVe or fastText, or a store of them",
        )
        parser.add_argument("text", type=Path, metavar="TEXT", help="UTF-8, one sentence a line")
        parser.add_argument(
            "--column",
            metavar="NAME",
            help="TEXT is a table (CSV, TSV, JSON Lines) with the texts in this column: it is "
            "written with all its columns and one more for each variant, as `extrinsic` reads it",
        )
        parser.add_argument(
            "--variant",
            nargs="+",
            action="extend",
            required=True,
            choices=VARIANTS,
            help="which neighbour; several make a row each",
        )
        parser.add_argument(
            "--replace",
            choices=REPLACE,
            default=REPLACE[0],
            help="all words (default), or content: English function words stay",
        )
        parser.add_argument(
            "--min-cosine",
            type=float,
            default=-1.0,
            metavar="C",
            help="leave a word whose neighbour has a lower cosine (-1: none)",
        )
        parser.add_argument(
            "--tokenize",
            choices=SPLITS,
            default=SPLITS[0],
            help="none (at white space, the default) or words (letters and digits)",
        )
        parser.add_argument(
            "-o",
            "--output",
            type=Path,
            required=True,
            metavar="PARAPHRASES.csv",
            help="columns id (the line; with several variants LINE-VARIANT), original, paraphrase, "
            "system; with --column a table (.csv, .tsv, .jsonl) with columns PG1, PG2, PG3",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        output: Path = options["output"]
        variants = list(dict.fromkeys(options["variant"]))
        if not -1 <= options["min_cosine"] <= 1:
            self.refuse("--min-cosine: a cosine is from -1 to 1.")
        if output.resolve() in {options["text"].resolve(), options["vectors"].resolve()}:
            self.refuse(f"{output}:0: is a file to be read; give -o another name.")
        with self.refusing():
            table = _table(options["text"], options["column"], variants)
            lines = (
                {at: row[options["column"]] for at, row in enumerate(table)}
                if options["column"]
                else _lines(options["text"])
            )
            vectors = _vectors(options["vectors"])
            ranks = [VARIANTS.index(name) + 1 for name in variants]
            made = replace_words(
                list(lines.values()),
                vectors,
                ranks,
                replace=options["replace"],
                tokenize=options["tokenize"],
                min_cosine=options["min_cosine"],
                progress=self.tell_share,
            )
            _check(made, options["text"], options["vectors"])
        if made.coverage < _LOW_COVERAGE:
            self.stderr.write(
                f"{options['text']}:0: warning: only {made.coverage:.0%} of the words have a "
                "vector; check the language, case and --tokenize of the vectors."
            )
        with self.refusing(output):
            if options["column"]:
                _write_table(output, table, options["column"], variants, made)
            else:
                _write(output, lines, variants, made)
        for name, rank in zip(variants, ranks, strict=True):
            self.stdout.write(
                f"{name.upper()}: {len(lines)} texts, {made.replaced[rank]} of {made.words} words "
                "replaced"
            )


def _table(path: Path, column: str | None, variants: Sequence[str]) -> list[Row]:
    """The rows of a table that have a text; none if no column is named."""
    if column is None:
        return []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        convert(path, folder, progress=lambda share: None)
        table = open_texts(folder)
        rows = [row for row in table.rows() if row.get(column)]
    if not rows:
        names = ", ".join(table.columns)
        raise FileRefused.at(
            path,
            1,
            say("has no text in a column %(name)s; it has %(names)s.", name=column, names=names),
        )
    there = [name.upper() for name in variants if name.upper() in table.columns]
    if there:
        raise FileRefused.at(
            path, 1, say("has a column %(name)s already; rename it.", name=there[0])
        )
    return rows


def _write_table(
    output: Path, rows: Sequence[Row], column: str, variants: Sequence[str], made: Replaced
) -> None:
    """All columns of the table, then one for each variant."""
    new = {name.upper(): made.texts[VARIANTS.index(name) + 1] for name in variants}
    columns = dict.fromkeys(name for row in rows for name in row)

    def written() -> Iterator[dict[str, object]]:
        for at, row in enumerate(rows):
            made_of_it = {name: texts[at] for name, texts in new.items()}
            yield {**dict.fromkeys(columns), **row, **made_of_it}

    with atomic_file(output) as raw:
        write_rows(
            written(),
            raw,
            [Column(name, "text") for name in (*columns, *new)],
            format=format_of(output.name, "csv"),
        )


def _lines(path: Path) -> dict[int, str]:
    """The lines with text, by their numbers."""
    problems = Problems(path)
    lines = dict(text_lines(path, problems))
    problems.check()
    if not lines:
        raise FileRefused.at(path, 0, say("has no text; write one sentence a line."))
    return lines


def _vectors(path: Path) -> Vectors:
    vectors = load_vectors(str(path))
    if len(vectors.rows) < FEWEST_WORDS:
        raise FileRefused.at(
            path,
            0,
            say(
                "has %(n)s words; at least %(least)s are needed.",
                n=len(vectors.rows),
                least=FEWEST_WORDS,
            ),
        )
    return vectors


def _check(made: Replaced, text: Path, vectors: Path) -> None:
    if not made.covered:
        raise FileRefused.at(
            text,
            0,
            say(
                "has no word with a vector in %(vectors)s; check the language, case and --tokenize "
                "of the vectors.",
                vectors=str(vectors),
            ),
        )


def _write(output: Path, lines: dict[int, str], variants: list[str], made: Replaced) -> None:
    with (
        atomic_file(output) as raw,
        io.TextIOWrapper(raw, encoding="utf-8", newline="") as stream,
    ):
        writer = csv.writer(stream)
        writer.writerow(["id", "original", "paraphrase", "system"])
        for at, (number, original) in enumerate(lines.items()):
            for name in variants:
                paraphrase = made.texts[VARIANTS.index(name) + 1][at]
                key = str(number) if len(variants) == 1 else f"{number}-{name}"
                writer.writerow([key, escape(original), escape(paraphrase), name.upper()])

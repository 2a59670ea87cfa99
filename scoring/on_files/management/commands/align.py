"""`align EN FOREIGN -o LINKS`: links between the words of two files, without a database."""

from __future__ import annotations

import io
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from scoring.building.alignment import (
    HEURISTICS,
    ITERATIONS,
    MODELS,
    SEED,
    align,
    link_line,
    read_parallel,
)
from scoring.management.command_files import atomic_file
from scoring.on_files.file_command import FileCommand


class Command(FileCommand):
    help = "Link the words of two parallel files, line by line; needs no database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("english", type=Path, metavar="EN", help="a sentence a line, tokenised")
        parser.add_argument("foreign", type=Path, metavar="FOREIGN", help="its translations")
        parser.add_argument("--model", choices=MODELS, default=MODELS[0])
        parser.add_argument(
            "--iterations",
            type=int,
            metavar="N",
            help=f"passes over the text in each direction ({ITERATIONS}; eflomal: by its size)",
        )
        parser.add_argument("--symmetrize", choices=HEURISTICS, default=HEURISTICS[0])
        parser.add_argument("--seed", type=int, default=SEED, help="of eflomal only")
        parser.add_argument(
            "-o",
            "--output",
            type=Path,
            required=True,
            metavar="LINKS",
            help="a line for each pair: EN-FOREIGN positions of words from 0; empty if left out",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        iterations, output = options["iterations"], options["output"]
        if iterations is not None and iterations < 1:
            self.refuse("--iterations: at least 1 is needed.")
        if output.resolve() in {options[side].resolve() for side in ("english", "foreign")}:
            self.refuse(f"{output}:0: -o names a file to be read; use another name.")
        with self.refusing():
            text = read_parallel(options["english"], options["foreign"])
        for warning in filter(None, (text.left_out(), text.few())):
            self.stderr.write(f"{options['english']}:0: warning: {warning}")
        links = align(
            [text.english[line] for line in text.aligned],
            [text.foreign[line] for line in text.aligned],
            model=options["model"],
            iterations=iterations,
            symmetrize=options["symmetrize"],
            seed=options["seed"],
            progress=self.tell_share,
        )
        lines = [""] * len(text.english)
        count = 0
        for line, pair in zip(text.aligned, links, strict=True):
            lines[line] = link_line(pair)
            count += len(pair)
        with (
            self.refusing(output),
            atomic_file(output) as raw,
            io.TextIOWrapper(raw, encoding="utf-8", newline="") as stream,
        ):
            stream.writelines(f"{line}\n" for line in lines)
        self.stderr.write(f"{len(text.aligned)} of {len(lines)} pairs aligned, {count} links.")

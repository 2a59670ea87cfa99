"""`train_lm TEXT --order N -o MODEL.arpa`: an n-gram language model, without a database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from scoring.building.language_model import pruning_problem, train, write_arpa
from scoring.management.command_files import atomic_file
from scoring.metrics.resources.arpa import HIGHEST_ORDER
from scoring.on_files.file_command import FileCommand


class Command(FileCommand):
    help = (
        "Estimate a language model (interpolated modified Kneser-Ney) of a text of one sentence a "
        "line, split at white space; no database."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("text", type=Path, metavar="TEXT", help="UTF-8, one sentence a line")
        parser.add_argument(
            "--order",
            type=int,
            default=3,
            choices=range(1, HIGHEST_ORDER + 1),
            metavar="N",
            help=f"words of the longest n-grams, 1 to {HIGHEST_ORDER} (default: 3)",
        )
        parser.add_argument(
            "--prune",
            type=int,
            nargs="+",
            default=[],
            metavar="COUNT",
            help="for each order from 1: leave out n-grams that occur at most this often; begins "
            "with 0 and does not fall, the last stands for all higher orders (default: none)",
        )
        parser.add_argument("-o", "--output", type=Path, required=True, metavar="MODEL.arpa")

    def handle(self, *args: Any, **options: Any) -> None:
        output, order, prune = options["output"], options["order"], options["prune"]
        if problem := pruning_problem(prune, order):
            self.refuse(f"--prune: {problem}")
        with self.refusing():
            trained = train(options["text"], order=order, prune=prune, progress=self.tell_share)
        with self.refusing(output), atomic_file(output) as stream:
            write_arpa(trained.model, stream)
        self.stdout.write(f"{trained.sentences} sentences, {output}")
        levels = zip(trained.model.levels, trained.discounts, strict=True)
        for at, (level, discounts) in enumerate(levels, 1):
            values = " ".join(f"{value:.4f}" for value in discounts.values)
            note = "" if discounts.estimated else " (too few n-grams to estimate them)"
            self.stdout.write(f"{at}-grams: {len(level)}, discounts {values}{note}")

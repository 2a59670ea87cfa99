"""`train_vectors TEXT -o VECTORS.txt`: word vectors of a text, without a database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from scoring.building.vectors import MODELS, Training, train_vectors, write_text
from scoring.management.command_files import atomic_file
from scoring.on_files.file_command import FileCommand, add_text

_MOST_VALUES = 1000
_MOST_SEED = 2**32 - 1


class Command(FileCommand):
    help = "Train word vectors of a text of one sentence a line with gensim; no database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        usual = Training()
        add_text(parser)
        parser.add_argument("--model", choices=MODELS, default=usual.model)
        for name, value, description in (
            ("size", usual.size, "values of a vector"),
            ("window", usual.window, "words to each side that are looked at"),
            ("min-count", usual.least, "words that occur fewer times have no vector"),
            ("epochs", usual.epochs, "passes over the text"),
            ("seed", usual.seed, "the same seed gives the same bytes"),
        ):
            parser.add_argument(
                f"--{name}", type=int, default=value, metavar="N", help=f"{description} ({value})"
            )
        parser.add_argument(
            "--skip-gram",
            action="store_true",
            help="predict neighbours from a word; default: a word from its neighbours (CBOW)",
        )
        parser.add_argument(
            "--phrases",
            action="store_true",
            help="join two words that occur together much more often than by chance: new_york",
        )
        parser.add_argument("-o", "--output", type=Path, required=True, metavar="VECTORS.txt")

    def handle(self, *args: Any, **options: Any) -> None:
        output: Path = options["output"]
        self._check(options)
        training = Training(
            model=options["model"],
            size=options["size"],
            window=options["window"],
            least=options["min_count"],
            epochs=options["epochs"],
            skip_gram=options["skip_gram"],
            seed=options["seed"],
            phrases=options["phrases"],
        )
        with self.refusing():
            vectors = train_vectors(
                options["text"],
                training,
                tokenize=options["tokenize"],
                lowercase=options["lowercase"],
                progress=self.tell_share,
            )
        with self.refusing(output), atomic_file(output) as stream:
            write_text(vectors, stream)
        self.stdout.write(
            f"{len(vectors.words)} words of {training.size} values in {output}, trained on "
            f"{vectors.tokens} words in {vectors.sentences} sentences"
        )

    def _check(self, options: dict[str, Any]) -> None:
        output: Path = options["output"]
        problems = [
            f"--{name.replace('_', '-')}: is {options[name]}; use {least} to {most}."
            for name, least, most in (
                ("size", 1, _MOST_VALUES),
                ("window", 1, 1000),
                ("min_count", 1, 10**9),
                ("epochs", 1, 10_000),
                ("seed", 0, _MOST_SEED),
            )
            if not least <= options[name] <= most
        ]
        if output.resolve() == options["text"].resolve():
            problems.append(f"{output}:0: is the text itself; give -o another name.")
        if output.suffix == ".bin":
            problems.append(
                f"{output}:0: would be read as a binary file; name it {output.stem}.txt."
            )
        if problems:
            self.refuse(*problems)

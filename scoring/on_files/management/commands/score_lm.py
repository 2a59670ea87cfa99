"""`score_lm MODEL.arpa TEXT`: how probable a language model finds sentences; no database."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from scoring.metrics.files import Problems, all_lines
from scoring.metrics.resources.arpa import LanguageModel, load_model
from scoring.metrics.resources.kinds import check_beginning
from scoring.on_files.file_command import FileCommand

_AT_ONCE = 5000
Row = tuple[float, int, int]


class Command(FileCommand):
    help = "Score each line of a text with a language model, its end included; no database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "model", metavar="MODEL.arpa", help="a model in the ARPA format, or a store of one"
        )
        parser.add_argument(
            "text",
            type=Path,
            metavar="TEXT",
            help="UTF-8, one sentence a line, split at white space",
        )
        parser.add_argument(
            "--json",
            action="store_true",
            help='print {"sentences": [{"logprob10", "words", "unknown"}], "perplexity"}',
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with self.refusing():
            model = load_model(options["model"])
            check_beginning(options["text"])
            problems = Problems(options["text"])
            rows = list(_rows(model, options["text"], problems))
            problems.check()
        # The ends of sentences are predicted too.
        tokens = sum(words + 1 for _, words, _ in rows)
        perplexity = 10 ** (-sum(logprob for logprob, _, _ in rows) / tokens)
        if options["json"]:
            sentences = [
                {"logprob10": logprob, "words": words, "unknown": unknown}
                for logprob, words, unknown in rows
            ]
            self.stdout.write(json.dumps({"sentences": sentences, "perplexity": perplexity}))
            return
        for logprob, words, unknown in rows:
            self.stdout.write(f"{logprob:.4f}\t{words}\t{unknown}")
        self.stderr.write(
            f"perplexity {perplexity:.2f} of {len(rows)} sentences and {tokens - len(rows)} words, "
            f"{sum(unknown for _, _, unknown in rows)} of them unknown"
        )


def _rows(model: LanguageModel, path: Path, problems: Problems) -> Iterator[Row]:
    sentences = (text.split() for _, text in all_lines(path, problems))
    while some := list(islice(sentences, _AT_ONCE)):
        scores = model.score(some)
        yield from zip(
            scores.logprob.tolist(), scores.words.tolist(), scores.unknown.tolist(), strict=True
        )

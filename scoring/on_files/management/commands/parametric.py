"""`parametric TABLE ALIGNED.tsv`: a paraphrase table compared with links by hand, without a
database."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from paraanno.common.texts import say
from scoring.building.paraphrases.parametric import (
    LONGEST,
    LinkedGold,
    Rating,
    gold_of,
    has_probabilities,
    paraphrases_of,
    rate,
    read_aligned,
)
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.kinds import check_beginning
from scoring.metrics.resources.table import RawTable, read_rows
from scoring.on_files.file_command import FileCommand

_MOST_WORDS = 10


class Command(FileCommand):
    help = (
        "Lower-bound precision and relative recall of a paraphrase table (ParaMetric) compared "
        "with sentences whose words people linked; no database."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "table",
            type=Path,
            metavar="TABLE",
            help="phrase TAB paraphrase [TAB probability], PPDB, or a phrase table of Moses",
        )
        parser.add_argument(
            "aligned",
            type=Path,
            metavar="ALIGNED.tsv",
            help="sentence TAB sentence TAB links: 0-1 is sure, 0?1 possible",
        )
        parser.add_argument(
            "--least",
            type=float,
            default=0.0,
            metavar="P",
            help="leave out paraphrases of a lower probability (0: none)",
        )
        parser.add_argument(
            "--max-words", type=int, default=LONGEST, metavar="N", help=f"of a phrase ({LONGEST})"
        )
        parser.add_argument(
            "--sure-only", action="store_true", help="leave out links that are only possible"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        least, longest = options["least"], options["max_words"]
        if not 0 <= least <= 1:
            self.refuse("--least: a probability is from 0 to 1.")
        if not 1 <= longest <= _MOST_WORDS:
            self.refuse(f"--max-words: use 1 to {_MOST_WORDS}.")
        with self.refusing():
            gold = gold_of(
                read_aligned(options["aligned"], sure_only=options["sure_only"]), longest=longest
            )
            table = _table(options["table"], least)
        rating = rate(paraphrases_of(table, gold.phrases, least=least), gold)
        if options["json"]:
            data = {
                "lower_bound_precision": rating.precision,
                "relative_recall": rating.recall,
                "phrases_with_paraphrases": rating.with_paraphrases,
                "phrases_with_gold": rating.with_gold,
                "phrases": len(gold.phrases),
                "table_pairs": rating.table_pairs,
                "gold_pairs": gold.pairs,
                "shared_pairs": rating.shared_pairs,
                "least": least,
                "max_words": longest,
                "links": "sure" if options["sure_only"] else "all",
            }
            self.stdout.write(json.dumps(data))
        else:
            self.stdout.write(_text(rating, gold))


def _table(path: Path, least: float) -> RawTable:
    check_beginning(path)
    table = read_rows(path, lambda share: None)
    if least > 0 and not has_probabilities(table):
        raise FileRefused.at(path, 0, say("has no probabilities; leave --least out."))
    return table


def _text(rating: Rating, gold: LinkedGold) -> str:
    precision, recall = (
        "undefined" if value is None else f"{value:.4f}"
        for value in (rating.precision, rating.recall)
    )
    return "\n".join(
        (
            f"lower-bound precision {precision} over {rating.with_paraphrases} phrases with "
            "paraphrases in the table",
            f"relative recall       {recall} over {rating.with_gold} phrases with gold paraphrases",
            f"{rating.shared_pairs} pairs are in both, of {rating.table_pairs} of the table and "
            f"{gold.pairs} gold",
        )
    )

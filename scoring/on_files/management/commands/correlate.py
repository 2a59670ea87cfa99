"""`manage.py correlate TABLE.csv`: metrics against human columns of a file, without a database."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import CommandParser

from scoring.on_files.file_command import FileCommand
from scoring.stats.evaluation.json_types import MetaJson
from scoring.stats.evaluation.pairwise import FOLDS
from scoring.stats.evaluation.report import correlation_report, permutations_for
from scoring.stats.intervals import Bootstrap
from scoring.stats.systems.values import SystemTexts
from scoring.stats.terminal.files import ITEMS, PHRASE, first_filled, read_columns
from scoring.stats.terminal.text import correlation_text


class FileReport(MetaJson):
    """With the columns whose sign is turned."""

    turned: list[str]


class Command(FileCommand):
    help = "Correlation of metric columns with human columns, and tests between the metrics."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("table", type=Path, metavar="TABLE.csv")
        for name in ("human", "metric"):
            parser.add_argument(
                f"--{name}", nargs="+", action="extend", required=True, metavar="COLUMN"
            )
        parser.add_argument(
            "--lower",
            nargs="+",
            action="extend",
            default=[],
            metavar="COLUMN",
            help="lower is better in these: their sign is reversed",
        )
        parser.add_argument(
            "--cluster",
            metavar="COLUMN",
            help="rows that are alike: of one phrase, or one original; by default the column "
            'phrase, item_key, item or original, if there is one; "": none are',
        )
        parser.add_argument(
            "--item",
            metavar="COLUMN",
            help="rows of one original, whose pairs are compared; by default those of --cluster",
        )
        parser.add_argument("--pass", dest="passed", metavar="COLUMN", help="1 passes, 0 does not")
        parser.add_argument("--system", metavar="COLUMN", help="which system made the row")
        parser.add_argument(
            "--permutations",
            type=int,
            metavar="N",
            help="of every test; by default 1000, more where many metrics are compared",
        )
        parser.add_argument(
            "--folds",
            type=int,
            default=FOLDS,
            metavar="N",
            help="of the cross-fitted tie threshold",
        )
        parser.add_argument(
            "--bootstrap",
            type=int,
            default=0,
            metavar="N",
            help="intervals from N draws of clusters instead of the jackknife",
        )
        parser.add_argument(
            "--as-in-paper",
            action="store_true",
            help="print tests that take texts for independent too",
        )
        parser.add_argument("--seed", type=int, default=0, metavar="S")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        text = partial(correlation_text, as_in_paper=options["as_in_paper"])
        self.print_report(lambda: self._report(options), text, as_json=options["json"])

    def _report(self, options: Mapping[str, Any]) -> FileReport:
        if options["bootstrap"] < 0 or options["seed"] < 0:
            raise ValueError("--bootstrap and --seed are whole numbers from 0 on")
        human = dict.fromkeys(options["human"])
        metrics = dict.fromkeys(options["metric"])
        permutations = options["permutations"]
        if permutations is None:
            permutations = permutations_for(len(metrics))
        if permutations < 1 or options["folds"] < 2:
            raise ValueError("--permutations is at least 1, --folds at least 2")
        lower = dict.fromkeys(options["lower"])
        if strange := [name for name in lower if name not in human | metrics]:
            raise ValueError(f"--lower {strange[0]}: name it after --human or --metric too")
        passed = options["passed"]
        names = dict.fromkeys([*human, *metrics, *([passed] if passed else [])])
        cluster, item = options["cluster"], options["item"]
        if cluster is None:
            cluster = first_filled(options["table"], [PHRASE, *ITEMS])
            if cluster == PHRASE and item is None:
                item = first_filled(options["table"], ITEMS)
        if item and not cluster:
            raise ValueError("--item: name the column of --cluster too")
        columns = read_columns(
            options["table"],
            list(names),
            cluster=cluster or None,
            system=options["system"],
            item=item,
        )
        values = {
            name: -column if name in lower else column for name, column in columns.values.items()
        }
        systems = None
        if columns.systems is not None:
            rows = np.arange(columns.systems.size)
            systems = SystemTexts(rows, columns.systems, columns.labels)
        report = correlation_report(
            {name: values[name] for name in human},
            {name: values[name] for name in metrics},
            clusters=columns.clusters,
            plan=Bootstrap(options["bootstrap"], options["seed"]),
            permutations=permutations,
            passed=columns.values[passed] if passed else None,
            systems=systems,
            folds=options["folds"],
            items=columns.items,
        )
        return {**report, "turned": list(lower)}

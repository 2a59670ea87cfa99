"""`manage.py agreement RATINGS.csv`: agreement of annotators from a file, without a database."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from scoring.on_files.file_command import FileCommand
from scoring.stats.agreement.coefficients import AgreementReport
from scoring.stats.agreement.influence import chance, influence
from scoring.stats.agreement.report import agreement_report
from scoring.stats.intervals import Bootstrap
from scoring.stats.terminal.files import (
    ORIGINAL,
    PHRASE,
    first_filled,
    parse_levels,
    parse_threshold,
    read_ratings,
)
from scoring.stats.terminal.text import agreement_text


class Command(FileCommand):
    help = "Agreement coefficients of a file with the columns item, annotator, scale, value."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ratings", type=Path, metavar="RATINGS.csv")
        parser.add_argument("--levels", metavar="1-5", help="all levels of the scale")
        parser.add_argument(
            "--threshold", action="append", default=[], metavar="SCALE=T", help="passes from T on"
        )
        parser.add_argument(
            "--cluster",
            metavar="COLUMN",
            help="texts that are alike, such as those of one phrase; by default the column "
            'phrase or original, if there is one; "": none are',
        )
        parser.add_argument(
            "--bootstrap",
            type=int,
            default=0,
            metavar="N",
            help="intervals from N draws of clusters instead of the jackknife",
        )
        parser.add_argument("--seed", type=int, default=0, metavar="S")
        parser.add_argument(
            "--influence", action="store_true", help="leave each annotator out once"
        )
        parser.add_argument(
            "--chance", type=int, default=0, metavar="N", help="test against N permutations"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        self.print_report(lambda: self._report(options), agreement_text, as_json=options["json"])

    def _report(self, options: Mapping[str, Any]) -> AgreementReport:
        levels = parse_levels(options["levels"]) if options["levels"] else None
        thresholds = dict(parse_threshold(text) for text in options["threshold"])
        if min(options["bootstrap"], options["seed"], options["chance"]) < 0:
            raise ValueError("--bootstrap, --seed and --chance are whole numbers from 0 on")
        cluster = options["cluster"]
        if cluster is None:
            cluster = first_filled(options["ratings"], [PHRASE, ORIGINAL])
        ratings = read_ratings(options["ratings"], levels=levels, cluster=cluster or None)
        plan = Bootstrap(options["bootstrap"], options["seed"])
        report = agreement_report(
            ratings.tables,
            levels=None if levels is None else dict.fromkeys(ratings.tables, levels),
            thresholds=thresholds,
            clusters=ratings.clusters,
            plan=plan,
        )
        for name, table in ratings.tables.items():
            if options["influence"]:
                report["scales"][name]["influence"] = influence(
                    table, "ordinal", levels, clusters=ratings.clusters, plan=plan
                )
            if options["chance"]:
                report["scales"][name]["chance"] = chance(
                    table, "ordinal", levels, permutations=options["chance"], seed=plan.seed
                )
        return report

"""`manage.py correlate TABLE.csv`: metrics against human columns of a file, without a database."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from scoring.stats.files import FileProblems, read_columns
from scoring.stats.report_correlation import correlation_report
from scoring.stats.resampling import Bootstrap
from scoring.stats.text import correlation_text


class Command(BaseCommand):
    help = "Correlation of metric columns with human columns, and tests between the metrics."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("table", type=Path, metavar="TABLE.csv")
        for name in ("human", "metric"):
            parser.add_argument(
                f"--{name}", nargs="+", action="extend", required=True, metavar="COLUMN"
            )
        parser.add_argument("--cluster", metavar="COLUMN", help="rows of one original")
        parser.add_argument("--bootstrap", type=int, default=0, metavar="N", help="replicates")
        parser.add_argument("--seed", type=int, default=0, metavar="S")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = self._report(options)
        except FileProblems as problems:
            self._fail(problems.lines)
        except ValueError as error:
            self._fail([str(error)])
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False))
        else:
            self.stdout.write(correlation_text(report))

    def _report(self, options: dict[str, Any]) -> dict[str, Any]:
        if options["bootstrap"] < 0 or options["seed"] < 0:
            raise ValueError("--bootstrap and --seed are whole numbers from 0 on")
        human = dict.fromkeys(options["human"])
        metrics = dict.fromkeys(options["metric"])
        columns = read_columns(
            options["table"],
            [*human, *(m for m in metrics if m not in human)],
            cluster=options["cluster"],
        )
        return correlation_report(
            {name: columns.values[name] for name in human},
            {name: columns.values[name] for name in metrics},
            clusters=columns.clusters,
            plan=Bootstrap(options["bootstrap"], options["seed"]),
        )

    def _fail(self, lines: Any) -> None:
        for line in lines:
            self.stderr.write(line, self.style.NOTICE)
        raise SystemExit(2)

"""`score PAIRS.csv --metric NAME[:option=value,...]`: metrics on a file, without a database."""

from __future__ import annotations

import csv
import io
import json
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Any

from paraanno.common.cells import escape
from scoring.management.command_files import atomic_file
from scoring.metrics.base import Metric
from scoring.metrics.files import FileRefused
from scoring.metrics.registry import from_spec, parse_spec
from scoring.metrics.scored import ScoredMetric, read_pairs, scored, with_groups
from scoring.metrics.values import Counts, mixture, reference_counts
from scoring.on_files.file_command import (
    ChangedError,
    FileCommand,
    as_cell,
    beside,
    column_json,
    keep_problems,
    kept_cells,
    output_problems,
    summary,
    write_about,
)


class Command(FileCommand):
    help = "Score the pairs of a file (CSV, TSV, JSONL) with automatic metrics; needs no database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "pairs",
            type=Path,
            metavar="PAIRS.csv",
            help="columns id, original, paraphrase, reference, reference_2 ..., language (BCP 47)",
        )
        parser.add_argument(
            "--metric",
            action="append",
            required=True,
            metavar="NAME[:option=value,...]",
            help="bleu, pinc:lowercase=yes, bleu:against=original,as=overlap; may be repeated",
        )
        parser.add_argument(
            "-o",
            "--output",
            type=Path,
            metavar="FILE",
            help="write the scores there as CSV; signatures, reasons of undefined scores, means "
            "and corpus scores as JSON beside it (FILE.csv -> FILE.json; none beside a pipe); "
            "print a summary",
        )
        parser.add_argument(
            "--keep",
            nargs="+",
            action="extend",
            default=[],
            metavar="COLUMN",
            help="with -o: columns of PAIRS.csv to copy after the scores, unchanged",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument(
            "--details",
            action="store_true",
            help="with --json or -o: in the JSON, how metrics came to their numbers, where they "
            "can",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        keep = list(dict.fromkeys(options["keep"]))
        file = read_pairs(options["pairs"], also=keep)
        metrics, problems = _metrics(options["metric"], sorted({p.language for p in file.pairs}))
        problems += [str(problem) for problem in file.problems]
        problems += output_problems(options["output"], options["pairs"])
        if keep and not options["output"]:
            problems.append("--keep: names columns of the file under -o; give one.")
        elif keep:
            problems += keep_problems(keep, metrics)
        counts = reference_counts(file.pairs)
        if not problems:
            problems += _mixtures(metrics, counts)
        if problems:
            self.refuse(*problems)
        self.stderr.write("".join(_decided(metrics)), ending="")
        if any(metric.grouped for metric in metrics.values()):
            file = replace(file, pairs=with_groups(file.pairs))
        with self.progress_shown():
            columns = scored(metrics, file.pairs, counts)
        if options["output"]:
            try:
                extra_rows = kept_cells(options["pairs"], keep, file.ids) if keep else repeat([])
                _write_csv(options["output"], file.ids, columns, keep, extra_rows)
                write_about(options["output"], file.ids, columns, details=options["details"])
            except OSError as error:
                self.refuse(f"{options['output']}:0: cannot be written ({error.strerror}).")
            except ChangedError as error:
                self.refuse(str(error))
        if options["json"]:
            data = {c.key: column_json(file.ids, c, details=options["details"]) for c in columns}
            self.stdout.write(json.dumps({"metrics": data}, ensure_ascii=False))
        else:
            # Where the scores themselves go to the terminal or a pipe, the summary is kept apart.
            apart = options["output"] and beside(options["output"]) is None
            (self.stderr if apart else self.stdout).write(summary(len(file.ids), columns))


def _metrics(texts: list[str], languages: list[str]) -> tuple[dict[str, Metric[Any]], list[str]]:
    metrics: dict[str, Metric[Any]] = {}
    problems = []
    for text in texts:
        try:
            spec = parse_spec(text)
            if spec.key == "id":
                problems.append(f"--metric {text}: id is the column of the ids; use another name.")
            if spec.key in metrics:
                problems.append(f"--metric {text}: {spec.key} is there already; add as=NAME.")
            metrics[spec.key] = from_spec(spec, languages or None)
            metrics[spec.key].load()
        except FileRefused as refusal:
            problems += refusal.lines
        except ValueError as error:
            problems.append(f"--metric {text}: {error}")
    return metrics, problems


def _decided(metrics: dict[str, Metric[Any]]) -> list[str]:
    """What this machine decided for a metric, and why: a line for each."""
    return [
        f"{key} is {one.labelled(one.name)}: {one.remark}\n"
        for key, one in metrics.items()
        if one.decided
    ]


def _mixtures(metrics: dict[str, Metric[Any]], counts: Counts) -> list[str]:
    """The metrics that would compare some pairs with references and others with the original
    without having been told to."""
    reason = mixture(counts)
    return [f"--metric {key}: {reason}" for key, one in metrics.items() if reason and one.is_auto()]


def _write_csv(
    path: Path,
    ids: tuple[str, ...],
    columns: list[ScoredMetric],
    keep: list[str],
    extra_rows: Iterable[list[str]],
) -> None:
    """Write id, one column per metric, and the kept columns; an undefined score is an empty cell.
    The file is written atomically."""
    with atomic_file(path) as raw, io.TextIOWrapper(raw, encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", *(escape(column.key) for column in columns), *map(as_cell, keep)])
        # The kept cells first: reading them detects a file that has changed since scoring.
        for row, (cells, key) in enumerate(zip(extra_rows, ids, strict=False)):
            values = (column.scores[row].value for column in columns)
            writer.writerow([escape(key), *("" if v is None else repr(v) for v in values), *cells])

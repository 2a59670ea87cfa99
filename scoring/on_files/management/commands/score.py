"""`score PAIRS.csv --metric NAME[:option=value,...]`: metrics on a file, without a database."""

from __future__ import annotations

import csv
import io
import json
import math
import os
from argparse import ArgumentParser
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Any

from paraanno.common.cells import Columns, escape
from paraanno.common.records import format_of, read_records
from paraanno.common.texts import ProblemLog
from scoring.management.command_files import atomic_file
from scoring.metrics.base import Metric
from scoring.metrics.files import FileRefused
from scoring.metrics.registry import from_spec, parse_spec
from scoring.metrics.scored import ScoredMetric, read_pairs, scored, with_groups
from scoring.metrics.values import Counts, mixture, reference_counts
from scoring.on_files.file_command import FileCommand, beside


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
                with self.refusing(options["output"]):
                    _write_csv(options["output"], file.ids, columns, keep, extra_rows)
                    write_about(options["output"], file.ids, columns, details=options["details"])
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


# What is reported about a run: the JSON beside the CSV, and the summary that is printed.


FORMAT = "paraanno scores 1"


def column_json(ids: tuple[str, ...], column: ScoredMetric, *, details: bool) -> dict[str, Any]:
    """A metric in what `--json` prints: its scores by the key of the row, and the reasons of those
    without a number."""
    data = {
        "signature": column.signature,
        "met": column.met.as_json(),
        "higher_is_better": column.metric.higher_is_better,
        "scores": {key: score.value for key, score in zip(ids, column.scores, strict=True)},
        "reasons": _reasons(ids, column),
    }
    if details:
        data["details"] = _details(ids, column)
    return data


def _about(ids: tuple[str, ...], column: ScoredMetric, *, details: bool) -> dict[str, Any]:
    """What a column of the CSV means; without `corpus` where the metric has no corpus score."""
    mean, n = column.mean
    data = {
        "metric": column.metric.name,
        "signature": column.signature,
        "met": column.met.as_json(),
        "higher_is_better": column.metric.higher_is_better,
        "scored": n,
        "undefined": len(ids) - n,
        "mean": mean.value,
        "reasons": _reasons(ids, column),
    }
    if column.corpus is not None:
        data["corpus"] = column.corpus.value
    if details:
        data["details"] = _details(ids, column)
    return data


def _reasons(ids: tuple[str, ...], column: ScoredMetric) -> dict[str, str]:
    rows = zip(ids, column.scores, strict=True)
    return {key: score.reason for key, score in rows if score.reason}


def _details(ids: tuple[str, ...], column: ScoredMetric) -> dict[str, Mapping[str, Any]]:
    rows = zip(ids, column.scores, strict=True)
    return {key: dict(score.detail) for key, score in rows if score.detail}


def output_problems(path: Path | None, pairs: Path) -> list[str]:
    """Return why the files cannot be written, so that it is reported before the work starts."""
    if path is None:
        return []
    if not os.access(path.parent, os.W_OK) or path.is_dir():
        return [f"{path}:0: cannot be written; name a file in a folder that exists and takes it."]
    about = beside(path)
    if about is None:
        return []
    if about == path:
        return [f"{path}:0: is the name of the JSON beside the CSV; name the CSV otherwise."]
    if about.resolve() == pairs.resolve() or not _is_ours(about):
        return [f"{about}:0: would be overwritten by the signatures; give -o another name."]
    return []


def _is_ours(about: Path) -> bool:
    """Whether the file is missing, or was written beside earlier scores."""
    if not about.exists():
        return True
    try:
        data = json.loads(about.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(data, dict) and data.get("format") == FORMAT


def write_about(
    path: Path, ids: tuple[str, ...], columns: list[ScoredMetric], *, details: bool
) -> None:
    """Write the JSON beside a file of scores, atomically. Raises OSError."""
    about = beside(path)
    if about is None:
        return
    data = {
        "format": FORMAT,
        "scores": path.name,
        "texts": len(ids),
        "metrics": {column.key: _about(ids, column, details=details) for column in columns},
    }
    with atomic_file(about) as stream:
        stream.write(json.dumps(data, ensure_ascii=False, indent=1).encode() + b"\n")


def summary(n: int, columns: list[ScoredMetric]) -> str:
    """One line per metric: number of scored pairs, their mean, and the corpus score."""
    wide = max(32, *(len(column.key) for column in columns))
    lines = [f"{'metric':<{wide}} {'scored':>7} {'undefined':>9} {'mean':>9} {'corpus':>9}"]
    for column in columns:
        mean, scored = column.mean
        cells = (
            "-" if score is None or score.value is None else f"{score.value:.4f}"
            for score in (mean, column.corpus)
        )
        lines.append(
            f"{column.key:<{wide}} {scored:>7} {n - scored:>9} "
            + " ".join(f"{cell:>9}" for cell in cells)
        )
    lines += [f"{column.key}: {column.signature}" for column in columns]
    return "\n".join(lines)


# Columns of the input that `--keep` copies to the output unchanged.
#
# The file is read a second time while the scores are written, so that these columns are never held
# in memory.


class ChangedError(ValueError):
    """The file has changed since its pairs were scored."""


def keep_problems(names: Sequence[str], taken: Collection[str]) -> list[str]:
    """Errors for columns whose names collide with those in `taken`."""
    problems = []
    for name in names:
        if name == "id":
            problems.append("--keep id: the ids are in the output anyway; leave it out.")
        elif name in taken:
            problems.append(
                f"--keep {name}: a metric's column has that name; give the metric another one "
                "with as=NAME."
            )
    return problems


def kept_cells(path: Path, names: Sequence[str], ids: Sequence[str]) -> Iterator[list[str]]:
    """The cells of these columns for each id in turn; ChangedError if the ids differ."""
    log = ProblemLog(str(path))
    columns, format = Columns.of(("id", *names)), format_of(path.name, "csv")
    records = read_records(path, log=log, columns=columns, format=format)
    try:
        for key, cells in zip(ids, records, strict=True):
            if (cells.label("id") or "").strip() != key:
                raise ChangedError
            yield [as_cell(_text(cells.values.get(name))) for name in names]
    except ValueError as error:
        raise ChangedError(_changed(path)) from error
    if log.errors:
        raise ChangedError(_changed(path))


def as_cell(text: str) -> str:
    """The text as a cell, escaped where a spreadsheet would read it as a formula.

    Numbers stay numbers: -1 is not escaped. What Python reads as one beside white space or with
    underscores is a text.
    """
    try:
        number = math.isfinite(float(text)) and "_" not in text and text.strip() == text
    except ValueError:
        number = False
    return text if number else escape(text)


def _text(value: object) -> str:
    """A cell as text; JSON values other than strings as JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _changed(path: Path) -> str:
    return (
        f"{path}:0: has changed since it was read, or cannot be read twice (a pipe); give a file "
        "that stays as it is."
    )

"""The base of commands that work on plain files: no database, and exit 2 for a bad file."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, NotRequired, TypedDict, TypeVar

from django.core.management.base import BaseCommand

from paraanno.common.cells import Columns, escape
from paraanno.common.progress import listening
from paraanno.common.records import format_of, read_records
from paraanno.common.texts import ProblemLog
from scoring.management.command_files import atomic_file
from scoring.metrics.files import FileRefused
from scoring.metrics.scored import ScoredMetric
from scoring.stats.terminal.files import FileProblems

T = TypeVar("T")
LINE = 24  # As long as progress gets: shorter lines leave nothing of longer ones.


class FileCommand(BaseCommand):
    """A command on plain files."""

    requires_system_checks: list[str] = []  # Needs no database and no site.

    @contextmanager
    def refusing(self, output: Path | None = None) -> Iterator[None]:
        """Print what is wrong with a file as `FILE:LINE: ...`, a line each, and exit with 2; also
        where `output` cannot be written."""
        try:
            yield
        except FileRefused as refusal:
            self.refuse(*map(str, refusal.lines))
        except OSError as error:
            place = error.filename if output is None else output
            self.refuse(f"{place}:0: cannot be written ({error.strerror}).")

    def refuse(self, *lines: str) -> NoReturn:
        """Print the lines and exit with 2."""
        for line in lines:
            self.stderr.write(line)
        sys.exit(2)

    def print_report(
        self, make: Callable[[], T], text: Callable[[T], str], *, as_json: bool
    ) -> None:
        """Print what `make` returns as one JSON object, or as text; exit with 2 where it raises
        ValueError, with a line for each problem of a file."""
        try:
            report = make()
        except FileProblems as problems:
            self.refuse(*problems.lines)
        except ValueError as error:
            self.refuse(str(error))
        whole = json.dumps(report, ensure_ascii=False, allow_nan=False) if as_json else text(report)
        self.stdout.write(whole)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._began = time.monotonic()

    @contextmanager
    def progress_shown(self) -> Iterator[None]:
        """Tell how far the loops inside are, if they take longer than half a second."""
        shares: list[float] = []

        def tell(share: float) -> None:
            shares.append(share)
            self.tell_share(share)

        with listening(tell, every=0.5):
            yield
        if shares:
            self.tell_share(1.0)

    def tell_share(self, share: float) -> None:
        """Print progress, and the time left at the speed so far, on one line that is overwritten,
        if somebody looks at a terminal."""
        if not self.stderr.isatty():
            return
        left = (time.monotonic() - self._began) * (1 - share) / share if share else 0.0
        text = f"{share:4.0%}" + (f", {left:.0f} s left" if left >= 1 else "")
        self.stderr.write(f"\r{text:<{LINE}}", ending="\n" if share >= 1 else "")
        self.stderr.flush()


def add_text(parser: ArgumentParser) -> None:
    """Add the arguments of a text that is cut into words: TEXT, --tokenize and --lowercase."""
    # Here, because most commands cut no text, and this takes a tenth of their start.
    from scoring.building.corpora import TOKENIZERS

    parser.add_argument("text", type=Path, metavar="TEXT", help="UTF-8, one sentence a line")
    parser.add_argument(
        "--tokenize",
        choices=TOKENIZERS,
        default="none",
        help="words (letters and digits), 13a (mteval), ko (Korean morphemes), or none "
        "(at white space, the default)",
    )
    parser.add_argument("--lowercase", action="store_true", help="ignore case")


# What `score` reports about a run: the JSON beside its CSV, and the summary that it prints.


FORMAT = "paraanno scores 1"


class ColumnJson(TypedDict):
    """A metric's scores by the key of the row; `reasons` of those without a number."""

    signature: str
    met: dict[str, int]
    higher_is_better: bool
    scores: dict[str, float | None]
    reasons: dict[str, str]
    details: NotRequired[dict[str, Mapping[str, Any]]]


class AboutJson(TypedDict):
    """What a column of the CSV means; `corpus` is absent if the metric has no corpus score."""

    metric: str
    signature: str
    met: dict[str, int]
    higher_is_better: bool
    scored: int
    undefined: int
    mean: float | None
    corpus: NotRequired[float | None]
    reasons: dict[str, str]
    details: NotRequired[dict[str, Mapping[str, Any]]]


def column_json(ids: tuple[str, ...], column: ScoredMetric, *, details: bool) -> ColumnJson:
    """A metric in what `--json` prints."""
    data: ColumnJson = {
        "signature": column.signature,
        "met": column.met.as_json(),
        "higher_is_better": column.metric.higher_is_better,
        "scores": {key: score.value for key, score in zip(ids, column.scores, strict=True)},
        "reasons": _reasons(ids, column),
    }
    if details:
        data["details"] = _details(ids, column)
    return data


def _about(ids: tuple[str, ...], column: ScoredMetric, *, details: bool) -> AboutJson:
    mean, n = column.mean
    data: AboutJson = {
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


def beside(path: Path) -> Path | None:
    """The JSON file that belongs to a file of scores; None for a pipe or a device."""
    if path.exists() and not path.is_file():
        return None
    return path.with_suffix(".json")


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


# Columns of the input that `score --keep` copies to the output unchanged.
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

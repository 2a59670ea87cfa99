"""`extrinsic TRAIN.csv --text C --text C2 --label L`: what paraphrases are worth as training text,
without a database."""

from __future__ import annotations

import csv
import io
import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from paraanno.common.cells import escape
from scoring.extrinsic.classifiers import CLASSIFIERS, Floats
from scoring.extrinsic.experiment import (
    PARTS,
    Experiment,
    LabelledTexts,
    Split,
    class_counts,
    lines,
    read_labelled,
    run,
    split,
    usual_sizes,
)
from scoring.extrinsic.report import (
    Scores,
    accuracy_rows,
    extrinsic_report,
    left_out,
    outcome_rows,
    read_scores,
    report_lines,
)
from scoring.management.command_files import atomic_file
from scoring.on_files.file_command import FileCommand
from scoring.stats.intervals import Bootstrap

_FEW = 10  # Texts of a class in a part: fewer say little.
_MOST_SEED = 2**32 - 1


class Command(FileCommand):
    help = (
        "Train classifiers on originals and on paraphrases of them, and test all on the same "
        "originals; test those of the originals on paraphrases too. No database."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "table",
            type=Path,
            metavar="TRAIN.csv",
            help="a row for each text: its original, its paraphrases, its class, and id if it has "
            "one",
        )
        parser.add_argument(
            "--text",
            nargs="+",
            action="extend",
            required=True,
            metavar="COLUMN",
            help="columns of texts; the first has the originals",
        )
        parser.add_argument("--label", required=True, metavar="COLUMN", help="the class")
        parser.add_argument(
            "--split",
            metavar="TRAINING,VALIDATION,TEST",
            help="texts of each part (default: all, in the proportions 2500,2000,1000)",
        )
        parser.add_argument(
            "--classifier",
            nargs="+",
            action="extend",
            metavar="NAME,...",
            help=f"of {', '.join(CLASSIFIERS)} (default: all)",
        )
        parser.add_argument(
            "--seed", type=int, default=1, metavar="S", help="of all random draws (1)"
        )
        parser.add_argument(
            "--repeat",
            type=int,
            default=1,
            metavar="N",
            help="also with the next seeds, N in all: other parts, other initial weights",
        )
        parser.add_argument(
            "-o",
            "--output",
            type=Path,
            metavar="FOLDER",
            help="write accuracy.csv and outcomes.csv (id, system, classifier, correct, p_true, "
            "change) there; outcomes are those of the classifiers trained on the originals",
        )
        parser.add_argument(
            "--scores",
            nargs="+",
            action="extend",
            default=[],
            metavar="COLUMN=FILE",
            help="metric scores of the paraphrases in a column, by id, as `score -o` writes them: "
            "correlates them with the outcomes",
        )
        parser.add_argument(
            "--metric",
            nargs="+",
            action="extend",
            default=[],
            metavar="NAME",
            help="columns of these files",
        )
        parser.add_argument(
            "--bootstrap",
            type=int,
            default=0,
            metavar="N",
            help="replicates for intervals of these correlations (0: none)",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        classifiers = self._checked(options)
        table: Path = options["table"]
        columns = list(dict.fromkeys(options["text"]))
        data = read_labelled(table, columns, options["label"])
        if data.problems:
            self.refuse(*map(str, data.problems))
        sizes = self._sizes(options["split"], table, data)
        seeds = range(options["seed"], options["seed"] + options["repeat"])
        parts = [split(data.ids, data.labels, sizes, seed) for seed in seeds]
        for one in parts:
            self._check_parts(table, data, one)
        runs = []
        for at, (seed, one) in enumerate(zip(seeds, parts, strict=True)):

            def tell(share: float, at: int = at) -> None:
                self.tell_share((at + share) / len(seeds))

            runs.append(run(data, one, classifiers, seed=seed, progress=tell))
        beside = lines(data, parts[0], classifiers, seed=seeds[0])
        scores = self._scores(options, runs[0])
        if options["output"]:
            with self.refusing():
                _write(options["output"], runs[0])
        plan = Bootstrap(options["bootstrap"], options["seed"])
        report = extrinsic_report(data, sizes, seeds, runs, scores=scores, plan=plan, lines=beside)
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False))
        else:
            self.stdout.write("\n".join(report_lines(report)))

    def _scores(self, options: dict[str, Any], experiment: Experiment) -> Scores | None:
        metrics = list(dict.fromkeys(options["metric"]))
        if not options["scores"]:
            return None
        columns: dict[str, dict[str, Floats]] = {}
        problems: list[str] = []
        for given in options["scores"]:
            system, _, name = given.partition("=")
            columns[system], errors = read_scores(Path(name), metrics, experiment.ids)
            problems += map(str, errors)
        if problems:
            self.refuse(*problems)
        return Scores(columns)

    def _checked(self, options: dict[str, Any]) -> list[str]:
        """The classifiers, if the options are right."""
        given = ",".join(CLASSIFIERS if options["classifier"] is None else options["classifier"])
        names = [name.strip() for name in given.split(",") if name.strip()]
        problems = [
            f"--classifier {name}: there is none of this name; use {', '.join(CLASSIFIERS)}."
            for name in names
            if name not in CLASSIFIERS
        ]
        if not names:
            problems.append("--classifier: name at least one.")
        if options["label"] in options["text"]:
            problems.append(f"--label {options['label']}: is a column of texts too.")
        if not 1 <= options["repeat"] <= 100:
            problems.append("--repeat: use 1 to 100.")
        if not 0 <= options["seed"] <= _MOST_SEED - 100:
            problems.append(f"--seed: use 0 to {_MOST_SEED - 100}.")
        problems += _score_problems(options["scores"], options["metric"], options["text"])
        if options["bootstrap"] < 0:
            problems.append("--bootstrap: use 0 or more.")
        if problems:
            self.refuse(*problems)
        return list(dict.fromkeys(names))

    def _sizes(self, text: str | None, table: Path, data: LabelledTexts) -> tuple[int, int, int]:
        n = len(data.ids)
        if text is None:
            return usual_sizes(n)
        cells = [cell.strip() for cell in text.split(",")]
        if len(cells) != 3 or not all(cell.isascii() and cell.isdigit() for cell in cells):
            self.refuse(f"--split {text}: should be three numbers of texts, as in 2500,2000,1000.")
        training, validation, test = (int(cell[:9]) for cell in cells)
        if not (training and test):
            self.refuse(f"--split {text}: training and test need texts.")
        if training + validation + test > n:
            self.refuse(
                f"{table}:0: has {n} texts that can be used (left out: {left_out(data.counts())}), "
                f"and --split asks for {training + validation + test}; ask for fewer."
            )
        return training, validation, test

    def _check_parts(self, table: Path, data: LabelledTexts, parts: Split) -> None:
        counts = class_counts(data, parts)
        missing = [
            f"{table}:0: the {part} part has no text of the class {name!r}; enlarge the part or "
            "take out the class."
            for part in ("training", "test")
            for name, n in counts[part].items()
            if not n
        ]
        if missing:
            self.refuse(*missing)
        few = [
            f"{name!r} in {part} ({n})"
            for part in PARTS
            for name, n in counts[part].items()
            if n < _FEW and any(counts[part].values())
        ]
        if few:
            self.stderr.write(
                f"{table}:0: warning: classes of fewer than {_FEW} texts: {', '.join(few)}."
            )


def _score_problems(scores: list[str], metrics: list[str], columns: list[str]) -> list[str]:
    """What is wrong with --scores and --metric."""
    problems = []
    if bool(scores) != bool(metrics):
        problems.append("--scores and --metric: give both or neither.")
    systems = [given.partition("=")[0] for given in scores]
    for given, system in zip(scores, systems, strict=True):
        if "=" not in given or system not in columns:
            problems.append(f"--scores {given}: write COLUMN=FILE, with a column of --text.")
        elif systems.count(system) > 1:
            problems.append(f"--scores {given}: {system} has another file; keep one.")
    return problems


def _write(folder: Path, experiment: Experiment) -> None:
    """Both files, atomically. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in (
        ("accuracy", accuracy_rows(experiment)),
        ("outcomes", outcome_rows(experiment)),
    ):
        with (
            atomic_file(folder / f"{name}.csv") as raw,
            io.TextIOWrapper(raw, encoding="utf-8", newline="") as stream,
        ):
            csv.writer(stream).writerows(
                [escape(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
            )

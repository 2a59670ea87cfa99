"""`extrinsic TRAIN.csv --text C --text C2 --label L`: what paraphrases are worth as training text,
without a database."""

from __future__ import annotations

import csv
import io
import json
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from paraanno.plain.formulas import escape
from scoring.extrinsic.classifiers import CLASSIFIERS, TOLD
from scoring.extrinsic.experiment import Experiment, accuracies, class_counts, run
from scoring.extrinsic.reading import LabelledTexts, read_labelled
from scoring.extrinsic.splits import PARTS, Split, split, usual_sizes
from scoring.management.atomic_file import atomic_file
from scoring.management.file_command import FileCommand

_FEW = 10  # Texts of a class in a part: fewer say little.
_MOST_SEED = 2**32 - 1


class Command(FileCommand):
    help = (
        "Train classifiers on originals and on paraphrases of them, and test all on the same "
        "originals; test those of the originals on paraphrases too. No database."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "table", type=Path, metavar="TRAIN.csv",
            help="a row for each text: its original, its paraphrases, its class, and id if it has "
            "one",
        )  # fmt: skip
        parser.add_argument(
            "--text", nargs="+", action="extend", required=True, metavar="COLUMN",
            help="columns of texts; the first has the originals",
        )  # fmt: skip
        parser.add_argument("--label", required=True, metavar="COLUMN", help="the class")
        parser.add_argument(
            "--split", metavar="TRAINING,VALIDATION,TEST",
            help="texts of each part (default: all, in the proportions 2500,2000,1000)",
        )  # fmt: skip
        parser.add_argument(
            "--classifier", default=",".join(CLASSIFIERS), metavar="NAME,...",
            help=f"of {', '.join(CLASSIFIERS)} (default: all)",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=1, metavar="S", help="of all drawing (1)")
        parser.add_argument(
            "--repeat", type=int, default=1, metavar="N",
            help="also with the next seeds, N in all: other parts, other first weights",
        )  # fmt: skip
        parser.add_argument(
            "-o", "--output", type=Path, metavar="FOLDER",
            help="write accuracy.csv and outcomes.csv (id, system, classifier, correct, p_true, "
            "change) there; outcomes are those of the classifiers trained on the originals",
        )  # fmt: skip
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
        found = []
        for at, (seed, one) in enumerate(zip(seeds, parts, strict=True)):

            def tell(share: float, at: int = at) -> None:
                self.tell_share((at + share) / len(seeds))

            found.append(run(data, one, classifiers, seed=seed, progress=tell))
        if options["output"]:
            with self.refusing():
                _write(options["output"], found[0], columns)
        report = _report(data, sizes, list(seeds), found)
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False))
        else:
            self.stdout.write("\n".join(_text(report, columns)))

    def _checked(self, options: dict[str, Any]) -> list[str]:
        """The classifiers, if the options are right."""
        names = [name.strip() for name in options["classifier"].split(",") if name.strip()]
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
                f"{table}:0: has {n} texts that can be used ({_left_out(data)}), and --split asks "
                f"for {training + validation + test}; ask for fewer."
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


def _left_out(data: LabelledTexts) -> str:
    return (
        f"left out: {data.no_label} without a label, {data.no_text} without a text in every "
        f"column, {data.doubled} whose original is there already"
    )


def _report(
    data: LabelledTexts, sizes: Sequence[int], seeds: Sequence[int], found: Sequence[Experiment]
) -> dict[str, Any]:
    from importlib.metadata import version

    first = accuracies(found[0].trained)
    report: dict[str, Any] = {
        "accuracy": first,
        "on_paraphrases": accuracies(found[0].tested),
        "comparisons": found[0].comparisons(),
        "classifiers": {name: TOLD[name] for name in first},
        "classes": list(data.classes),
        "texts": {
            "used": len(data.ids),
            "no_label": data.no_label,
            "no_text": data.no_text,
            "doubled": data.doubled,
            "doubled_with_another_label": data.contradicting,
        },
        "split": dict(zip(PARTS, sizes, strict=True)),
        "seed": seeds[0],
        "scikit-learn": version("scikit-learn"),
    }
    if len(found) > 1:
        each = [accuracies(one.trained) for one in found]
        report["repeats"] = {
            classifier: {column: _spread([one[classifier][column]["value"] for one in each])
                         for column in row}
            for classifier, row in first.items()
        }  # fmt: skip
        report["seeds"] = list(seeds)
    return report


def _spread(values: Sequence[float]) -> dict[str, Any]:
    return {"mean": mean(values), "sd": stdev(values), "values": list(values)}


def _text(report: dict[str, Any], columns: Sequence[str]) -> Iterable[str]:
    """The report for a terminal."""
    wide = max(10, *(len(column) for column in columns)) + 2
    for title, key in (
        ("Accuracy on the originals, trained on", "accuracy"),
        ("Accuracy, trained on the originals, tested on", "on_paraphrases"),
    ):
        yield title
        yield " " * 8 + "".join(f"{column:>{wide}}" for column in columns)
        for classifier, row in report[key].items():
            cells = "".join(f"{row[column]['value']:>{wide}.3f}" for column in columns)
            yield f"{classifier:<8}{cells}"
    for row in report["comparisons"]:
        yield (
            f"{row['classifier']}: {row['a']} against {row['b']}: {row['only_a']} right by the "
            f"first alone, {row['only_b']} by the second; p {row['p_value']:.4f}, Holm "
            f"{row['holm']:.4f}"
        )
    for classifier, row in report.get("repeats", {}).items():
        for column, spread in row.items():
            yield (
                f"{classifier}, {column}: mean {spread['mean']:.3f}, standard deviation "
                f"{spread['sd']:.3f} over {len(spread['values'])} seeds"
            )
    texts, split_ = report["texts"], report["split"]
    yield (
        f"{texts['used']} texts; parts {', '.join(f'{k} {n}' for k, n in split_.items())}; left "
        f"out: {texts['no_label']} without a label, {texts['no_text']} without a text in every "
        f"column, {texts['doubled']} whose original is there already"
    )


def _write(folder: Path, found: Experiment, columns: Sequence[str]) -> None:
    """Both files, atomically. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    original = columns[0]
    head: list[object] = ["classifier", "trained_on", "value", "ci_low", "ci_high", "n"]
    rows = [head]
    for classifier, row in accuracies(found.trained).items():
        rows += [[classifier, escape(column), *one.values()] for column, one in row.items()]
    _write_csv(folder / "accuracy.csv", rows)
    rows = [["id", "system", "classifier", "correct", "p_true", "change"]]
    for (classifier, column), one in found.tested.items():
        change = (one.p_true - found.tested[classifier, original].p_true).tolist()
        cells = zip(
            found.ids, one.correct.astype(int).tolist(), one.p_true.tolist(), change, strict=True
        )
        rows += [
            [escape(key), escape(column), classifier, right, repr(p), repr(less)]
            for key, right, p, less in cells
        ]
    _write_csv(folder / "outcomes.csv", rows)


def _write_csv(path: Path, rows: Iterable[Sequence[object]]) -> None:
    with atomic_file(path) as raw, io.TextIOWrapper(raw, encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)

"""The recipe `extrinsic`: classifiers on originals and on paraphrases, and metrics beside them.

A stage for each kind of classifier and training text, so that a killed process loses one at most.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraanno.common.cells import escape
from paraanno.common.places import extra_install
from paraanno.common.texts import Sentence, say, sentence_json
from scoring.building.recipes.recipe import (
    ColumnOption,
    NamesOption,
    Numbers,
    Recipe,
    Stage,
    StageInput,
)
from scoring.building.vectors import at_row, open_texts
from scoring.extrinsic.classifiers import EVERY, NETS, SIZES, Floats, has_torch, view_of
from scoring.extrinsic.experiment import (
    PARTS,
    Experiment,
    Key,
    LabelledTexts,
    Outcomes,
    Split,
    class_counts,
    lines,
    on_column,
    read_labelled,
    split,
    usual_sizes,
)
from scoring.extrinsic.experiment import joined as experiment
from scoring.extrinsic.report import Scores, extrinsic_report, outcome_rows
from scoring.metrics import Pair, create
from scoring.metrics.files import NONE, FileOption, FileRefused, sha256
from scoring.metrics.registry import metric_class
from scoring.metrics.resources.stores import ABOUT
from scoring.metrics.values import Option
from scoring.stats.intervals import Bootstrap

# The options of the recipe `extrinsic`.


USUAL = "usual"
MOST_REPEATS = 20


@dataclass(frozen=True, slots=True)
class SplitOption(Option):
    """Three numbers of texts, or `usual`."""

    def read(self, metric: str, given: object) -> str:
        text = str(given).replace(" ", "")
        cells = text.split(",")
        if text == USUAL:
            return text
        if len(cells) == len(PARTS) and all(one.isascii() and one.isdigit() for one in cells):
            sizes = [int(one[:9]) for one in cells]
            if sizes[0] and sizes[2]:
                return ",".join(map(str, sizes))
        raise ValueError(
            say(
                "%(metric)s: %(option)s=%(value)s is not allowed; use three numbers of texts, as "
                "in 2500,2000,1000, or usual.",
                metric=metric,
                option=self.name,
                value=str(given),
            )
        )


@dataclass(frozen=True, slots=True)
class MetricsOption(NamesOption):
    """Names of metrics that need no other file than vectors."""

    def read(self, metric: str, given: object) -> str:
        text = str(given).strip() or NONE
        if text == NONE:
            return NONE
        names = NamesOption.read(self, metric, text)
        for name in names.split("+"):
            others = sorted(_files(name) - {"vectors"})
            if others:
                raise ValueError(
                    say(
                        "%(metric)s: %(option)s=%(value)s is not allowed: %(name)s needs "
                        "%(files)s, which cannot be given here.",
                        metric=metric,
                        option=self.name,
                        value=text,
                        name=name,
                        files=", ".join(others),
                    )
                )
        return names


@dataclass(frozen=True, slots=True)
class ClassifiersOption(NamesOption):
    """Names of classifiers; nets are refused where torch is missing, and not after hours."""

    def read(self, metric: str, given: object) -> str:
        names = NamesOption.read(self, metric, given)
        nets = [name for name in names.split("+") if name in NETS]
        if nets and not has_torch():
            raise ValueError(
                say(
                    "%(names)s need the extra neural: %(line)s.",
                    names=", ".join(nets),
                    line=extra_install("neural"),
                )
            )
        return names


def need_vectors(metrics: str) -> list[str]:
    """Those of the metrics that need word vectors."""
    return [name for name in metrics.split("+") if name != NONE and "vectors" in _files(name)]


def _files(metric: str) -> set[str]:
    """The options of a metric that must name a file."""
    options = metric_class(metric).OPTIONS
    return {one.name for one in options if isinstance(one, FileOption) and one.default != NONE}


WITHOUT_VECTORS = "pinc"  # The metric beside the outcomes that needs no file.
OPTIONS: tuple[Option, ...] = (
    ColumnOption("original", "text", say("The column of the originals.")),
    NamesOption("systems", "PG1+PG2+PG3", say("The columns of paraphrases, with + between them.")),
    ColumnOption("label", "label", say("The column of the class.")),
    ClassifiersOption(
        "classifiers",
        "logreg+nb+svm+mlp",
        say(
            "With + between them: logreg, nb, svm, mlp; and the paper’s nets smpnn, mcnn, gru, "
            "lstm, if the extra neural is installed."
        ),
        allowed=EVERY,
    ),
    SplitOption(
        "split",
        USUAL,
        say(
            "Texts of the training, validation and test part, as in 2500,2000,1000; usual: all "
            "in these proportions."
        ),
    ),
    Option("seed", "1", say("For drawing parts and initial weights."), least=0, most=10**6),
    Option(
        "repeat",
        "1",
        say("How many seeds in all, this one and the next ones; shown as mean and spread."),
        least=1,
        most=MOST_REPEATS,
    ),
    MetricsOption(
        "metrics",
        f"weem4pg+{WITHOUT_VECTORS}",
        say("Metrics beside the outcomes, with + between them; none for none."),
    ),
    Option(
        "bootstrap",
        "500",
        say("Replicates for intervals of correlations; 0 for none."),
        least=0,
        most=10_000,
    ),
    Option(
        "sizes",
        "small",
        say("For the nets: small (200 words, 100 values, 10 epochs), or paper (500, 300, 30)."),
        tuple(SIZES),
    ),
)


REPORT, OUTCOMES, TRAINED, SCORES = "report.json", "outcomes.csv", "found.npz", "scores.npz"
LINES = "lines"
MOST_TEXTS = 100_000
_FEW = 10  # Texts of a class in a part: fewer say little.
_PAIRS = 200  # Scored between two tellings.


@dataclass(frozen=True, slots=True)
class _Task:
    """What all stages read: the labelled texts, and the parts by seed."""

    data: LabelledTexts
    sizes: tuple[int, int, int]
    parts: Mapping[int, Split]
    classifiers: tuple[str, ...]

    @property
    def columns(self) -> list[str]:
        return list(self.data.texts)


def _columns(options: Mapping[str, str]) -> list[str]:
    return list(dict.fromkeys([options["original"], *options["systems"].split("+")]))


def _task(step: StageInput) -> _Task:
    """Read the table anew; FileRefused for what is wrong with it, ValueError for a metric that
    lacks a file."""
    for name, its in _metrics(step).items():
        create(name, its)
    options, store = step.options, step.inputs["texts"]
    table = open_texts(store)
    if table.n > MOST_TEXTS:
        raise FileRefused.at(
            "texts", 0, say("has %(n)s texts; use %(most)s at most.", n=table.n, most=MOST_TEXTS)
        )
    for name in (*_columns(options), options["label"]):
        if name not in table.columns:  # Said once, and not of each row.
            raise FileRefused.at(
                "texts",
                1,
                say(
                    "has no column %(name)s in which something is filled in; it has %(names)s.",
                    name=repr(name),
                    names=", ".join(table.columns),
                ),
            )
    data = read_labelled(table.path, _columns(options), options["label"])
    if data.problems:
        raise FileRefused(*(at_row(one.line, one.message, one.column) for one in data.problems))
    n = len(data.ids)
    sizes = usual_sizes(n)
    if options["split"] != USUAL:
        training, validation, test = (int(one) for one in options["split"].split(","))
        sizes = training, validation, test
        if sum(sizes) > n:
            raise FileRefused.at(
                "texts",
                0,
                say(
                    "has %(n)s texts that can be used, and split asks for %(asked)s; ask for "
                    "fewer.",
                    n=n,
                    asked=sum(sizes),
                ),
            )
    first = int(options["seed"])
    parts = {
        seed: split(data.ids, data.labels, sizes, seed)
        for seed in range(first, first + int(options["repeat"]))
    }
    for one in parts.values():
        _check(data, one)
    return _Task(data, sizes, parts, tuple(options["classifiers"].split("+")))


def _check(data: LabelledTexts, parts: Split) -> None:
    counts = class_counts(data, parts)
    for part in ("training", "test"):
        for name, n in counts[part].items():
            if not n:
                raise FileRefused.at(
                    "texts",
                    0,
                    say(
                        "the %(part)s part has no text of the class %(name)s; enlarge the part "
                        "or take out the class.",
                        part=part,
                        name=repr(name),
                    ),
                )


def _warnings(task: _Task) -> list[Sentence]:
    few = [
        f"{name!r} in {part} ({n})"
        for part, row in class_counts(task.data, next(iter(task.parts.values()))).items()
        for name, n in row.items()
        if n < _FEW and any(row.values())
    ]
    if not few:
        return []
    return [say("Classes of fewer than %(n)s texts: %(names)s.", n=_FEW, names=", ".join(few))]


def _groups(classifiers: Sequence[str]) -> dict[str, list[str]]:
    """Classifiers that are trained in one stage, by its name: those on the same features."""
    groups: dict[str, list[str]] = {}
    for name in classifiers:
        groups.setdefault("linear" if view_of(name) == "wide" else name, []).append(name)
    return groups


def _plan(options: Mapping[str, str], _roles: Collection[str]) -> tuple[Stage, ...]:
    groups = _groups(options["classifiers"].split("+"))
    trainings = tuple(
        Stage(f"{group}-{number}", partial(_train, column=column, names=tuple(names)))
        for number, column in enumerate(_columns(options), 1)
        for group, names in groups.items()
    )
    beside = tuple(
        Stage(f"{group}-{LINES}", partial(_lines, names=tuple(names)))
        for group, names in groups.items()
    )
    return (*trainings, *beside, Stage("scores", _score), Stage("report", _report))


def _train(step: StageInput, *, column: str, names: tuple[str, ...]) -> Numbers:
    """Train these classifiers on one column, for every seed."""
    task = _task(step)
    arrays: dict[str, NDArray[Any]] = {}
    for at, (seed, parts) in enumerate(task.parts.items()):

        def tell(share: float, at: int = at) -> None:
            step.progress((at + share) / len(task.parts))

        both = on_column(
            task.data,
            parts,
            column,
            names,
            seed=seed,
            sizes=SIZES[step.options["sizes"]],
            progress=tell,
        )
        for which, outcomes in zip(("trained", "tested"), both, strict=True):
            for (name, tested), one in outcomes.items():
                place = f"{seed}/{which}/{name}/{task.columns.index(tested)}"
                arrays[f"{place}/correct"], arrays[f"{place}/p"] = one.correct, one.p_true
    np.savez(step.folder / TRAINED, **arrays)  # type: ignore[arg-type]
    return {}


def _lines(step: StageInput, *, names: tuple[str, ...]) -> Numbers:
    """What the accuracies of these classifiers are read beside, for the first seed."""
    task = _task(step)
    seed, parts = next(iter(task.parts.items()))
    sizes = SIZES[step.options["sizes"]]
    baselines = lines(task.data, parts, names, seed=seed, sizes=sizes, progress=step.progress)
    (step.folder / f"{LINES}.json").write_text(json.dumps(baselines), encoding="utf-8")
    return {}


def _experiments(step: StageInput, task: _Task) -> list[Experiment]:
    """What all stages of training found, an experiment for each seed."""
    pieces: dict[int, list[tuple[dict[Key, Outcomes], dict[Key, Outcomes]]]] = {}
    for folder in step.before.values():
        if not (folder / TRAINED).exists():
            continue
        with np.load(folder / TRAINED, allow_pickle=False) as arrays:
            for name in arrays.files:
                seed, which, classifier, column, what = name.split("/")
                if what != "correct":
                    continue
                one = Outcomes(arrays[name], arrays[name.removesuffix("correct") + "p"])
                both: tuple[dict[Key, Outcomes], dict[Key, Outcomes]] = ({}, {})
                both[which == "tested"][classifier, task.columns[int(column)]] = one
                pieces.setdefault(int(seed), []).append(both)
    return [
        experiment(task.data, parts, task.classifiers, pieces[seed])
        for seed, parts in task.parts.items()
    ]


def _metrics(step: StageInput) -> dict[str, dict[str, str]]:
    """The options of each metric that is asked for."""
    if step.options["metrics"] == NONE:
        return {}
    vectors = {"vectors": str(step.inputs["vectors"])} if "vectors" in step.inputs else {}
    return {
        name: vectors if any(one.name == "vectors" for one in metric_class(name).OPTIONS) else {}
        for name in step.options["metrics"].split("+")
    }


def _score(step: StageInput) -> Numbers:
    """Score the paraphrases of the test part of the first seed."""
    task, chosen = _task(step), _metrics(step)
    rows = next(iter(task.parts.values())).test.tolist()
    original, *systems = task.columns
    arrays, signatures = {}, {}
    total, done = max(1, len(chosen) * len(systems)), 0
    for name, options in chosen.items():
        metric = create(name, options)
        for number, system in enumerate(systems, 1):
            texts = task.data.texts
            pairs = [Pair(texts[original][row], texts[system][row]) for row in rows]
            if metric.needs_state:
                metric.use(metric.prepare(pairs))
            values: list[float] = []
            for at in range(0, len(pairs), _PAIRS):
                part = metric.score_many(pairs[at : at + _PAIRS])
                values += [float("nan") if one.value is None else one.value for one in part]
                step.progress((done + len(values) / len(pairs)) / total)
            done += 1
            arrays[f"{name}/{number}"] = np.array(values)
        signatures[name] = str(metric.signature())
    np.savez(step.folder / SCORES, **arrays)  # type: ignore[arg-type]
    (step.folder / "signatures.json").write_text(json.dumps(signatures), encoding="utf-8")
    return {}


def _report(step: StageInput) -> Numbers:
    task = _task(step)
    outcomes = _experiments(step, task)
    step.progress(0.2)
    scores: dict[str, dict[str, Floats]] = {}
    with np.load(step.before["scores"] / SCORES, allow_pickle=False) as arrays:
        for name in arrays.files:
            metric, number = name.split("/")
            scores.setdefault(task.columns[int(number)], {})[metric] = arrays[name]
    plan = Bootstrap(int(step.options["bootstrap"]), int(step.options["seed"]))
    report = extrinsic_report(
        task.data,
        task.sizes,
        list(task.parts),
        outcomes,
        plan=plan,
        scores=Scores(scores) if scores else None,
        lines={
            name: one
            for folder in step.before.values()
            if (path := folder / f"{LINES}.json").exists()
            for name, one in json.loads(path.read_text(encoding="utf-8")).items()
        },
    )
    step.progress(0.9)
    signatures = json.loads((step.before["scores"] / "signatures.json").read_text("utf-8"))
    whole = {
        **report,
        "columns": task.columns,
        "metrics": signatures,
        "sizes": step.options["sizes"],
        "warnings": [sentence_json({"said": one}) for one in _warnings(task)],
    }
    path = step.folder / REPORT
    path.write_text(json.dumps(whole, ensure_ascii=False, allow_nan=False), encoding="utf-8")
    with (step.folder / OUTCOMES).open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(_cells(outcome_rows(outcomes[0])))
    about = {"sha256": sha256(path), "texts": len(task.data.ids)}
    (step.folder / ABOUT).write_text(json.dumps(about), encoding="utf-8")
    return {"rows": len(task.data.ids), "classifiers": len(task.classifiers)}


def _cells(rows: Iterator[list[object]]) -> Iterator[list[object]]:
    for row in rows:
        yield [escape(cell) if isinstance(cell, str) else cell for cell in row]


def report_of(store: Path) -> dict[str, object]:
    """The report of a store."""
    report: dict[str, object] = json.loads((store / REPORT).read_text(encoding="utf-8"))
    return report


EXTRINSIC = Recipe(
    name="extrinsic",
    title=say("Extrinsic evaluation"),
    summary=say("Classifiers trained on originals and on paraphrases, and metrics beside them."),
    kind="extrinsic",
    inputs={"texts": "texts", "vectors": "vectors"},
    optional=frozenset({"vectors"}),
    options=OPTIONS,
    stages=(),
    plan=_plan,
    plain=OUTCOMES,
    libraries=("numpy", "scikit-learn", "scipy"),
    version="2",
)

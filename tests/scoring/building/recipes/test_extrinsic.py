"""The recipe `extrinsic`, beside the experiment of the command."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from scoring.building.recipes.extrinsic import OUTCOMES, report_of
from scoring.building.recipes.recipe import BuildCancelled, Made, make
from scoring.building.recipes.registry import recipe
from scoring.building.texts.table import convert
from scoring.extrinsic.experiment import accuracies, run
from scoring.extrinsic.reading import read_labelled
from scoring.extrinsic.splits import split
from scoring.metrics import Pair, create
from scoring.metrics.files import FileRefused
from tests.scoring.extrinsic.reviews import reviews, write_table

ASKED = {
    "systems": "PG1+PG2", "classifiers": "nb+mlp", "split": "60,20,40", "metrics": "pinc+bleu",
    "bootstrap": "20",
}  # fmt: skip


def table(folder: Path, n: int = 120) -> Path:
    """A store of texts with two systems: one leaves words out, one repeats the original."""
    texts, labels = reviews(n)
    shorter = [" ".join(text.split()[:-3]) for text in texts]
    columns = {"id": [f"r{at}" for at in range(n)], "text": texts, "label": labels,
               "PG1": shorter, "PG2": texts}  # fmt: skip
    source = write_table(folder / "texts.csv", columns)
    store = folder / "texts"
    store.mkdir()
    convert(source, store, progress=lambda share: None)
    return store


def made(store: Path, folder: Path, **options: object) -> Made:
    return make(recipe("extrinsic"), {"texts": store}, folder / "build", {**ASKED, **options})


def test_its_report_is_that_of_the_experiment(tmp_path: Path) -> None:
    store = table(tmp_path)
    found = made(store, tmp_path, repeat="2")
    report = report_of(found.store)
    data = read_labelled(store / "rows.jsonl", ["text", "PG1", "PG2"], "label")
    parts = [split(data.ids, data.labels, (60, 20, 40), seed) for seed in (1, 2)]
    theirs = [
        run(data, part, ["nb", "mlp"], seed=seed) for seed, part in zip((1, 2), parts, strict=True)
    ]
    assert report["accuracy"] == accuracies(theirs[0].trained)
    assert report["on_paraphrases"] == accuracies(theirs[0].tested)
    assert report["comparisons"] == theirs[0].comparisons()
    second = accuracies(theirs[1].trained)["nb"]["PG1"]["value"]
    assert report["repeats"]["nb"]["PG1"]["values"][1] == second  # type: ignore[index]
    # A system that repeats the original gives what the original gives.
    for row in report["accuracy"].values():  # type: ignore[attr-defined]
        assert row["PG2"] == row["text"]
    rows = list(csv.DictReader((found.store / OUTCOMES).read_text().splitlines()))
    assert len(rows) == 40 * 3 * 2
    assert found.numbers == {"rows": 120, "classifiers": 2}


def test_metrics_score_the_paraphrases_of_the_test_part(tmp_path: Path) -> None:
    store = table(tmp_path)
    report = json.loads((made(store, tmp_path).store / "report.json").read_text())
    data = read_labelled(store / "rows.jsonl", ["text", "PG1", "PG2"], "label")
    rows = split(data.ids, data.labels, (60, 20, 40), 1).test
    pairs = [Pair(data.texts["text"][row], data.texts["PG1"][row]) for row in rows]
    for name in ("pinc", "bleu"):
        scores = [one.value for one in create(name).score_many(pairs)]
        mean = next(
            one["mean"] for one in report["intrinsic"]["systems"]
            if (one["metric"], one["system"]) == (name, "PG1")
        )  # fmt: skip
        assert mean == pytest.approx(np.mean(scores))
        assert name in report["metrics"][name]


def test_a_killed_process_loses_one_training_at_most(tmp_path: Path) -> None:
    store = table(tmp_path)

    def stop(stage: str, number: int, share: float) -> None:
        if stage == "mlp-2":
            raise BuildCancelled

    with pytest.raises(BuildCancelled):
        make(recipe("extrinsic"), {"texts": store}, tmp_path / "build", ASKED, progress=stop)
    done = {path.name for path in (tmp_path / "build").iterdir() if path.is_dir()}
    assert {"linear-1", "mlp-1", "linear-2"} <= done
    told: list[tuple[str, float]] = []
    resumed = make(
        recipe("extrinsic"), {"texts": store}, tmp_path / "build", ASKED,
        progress=lambda stage, number, share: told.append((stage, share)),
    )  # fmt: skip
    assert [share for stage, share in told if stage == "linear-2"] == [0.0, 1.0]
    plain = made(store, tmp_path / "again").store / "report.json"
    assert (resumed.store / "report.json").read_bytes() == plain.read_bytes()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"label": "grade"}, "texts:1: .*grade"),
        ({"split": "100,20,40"}, "texts:0: has 120 texts that can be used"),
        ({"split": "1,2"}, "split=1,2 is not allowed"),
        ({"classifiers": "forest"}, "classifiers=forest is not allowed"),
        ({"metrics": "blue"}, "Did you mean bleu"),
        ({"metrics": "weem4pg"}, "weem4pg: the option vectors=FILE is missing"),
        ({"systems": "PG7"}, "PG7"),
    ],
)
def test_what_cannot_be_done_says_why(options: dict[str, str], said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=said) as refused:
        made(table(tmp_path), tmp_path, **options)
    assert isinstance(refused.value, FileRefused) or "=" in said or "Did" in said or "PG7" in said


def test_a_row_is_named_by_its_number(tmp_path: Path) -> None:
    """The store does not know the lines of the file."""
    source = tmp_path / "texts.csv"
    source.write_text("id,text,label\na,so it is,1\n,,\nb,and was,1.5\n")
    store = tmp_path / "store"
    store.mkdir()
    convert(source, store, progress=lambda share: None)
    with pytest.raises(FileRefused, match=r"^texts: row 2: column 'label': .*1\.5"):
        made(store, tmp_path, systems="text")


def test_classes_of_few_texts_are_a_warning(tmp_path: Path) -> None:
    report = report_of(made(table(tmp_path, 30), tmp_path, split="usual", metrics="none").store)
    assert "Classes of fewer than 10 texts" in json.dumps(report["warnings"])
    assert "intrinsic" not in report

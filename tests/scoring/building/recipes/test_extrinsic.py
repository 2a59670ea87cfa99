"""The recipe `extrinsic`, beside the experiment of the command."""

import csv
import json

import numpy as np
import pytest

from scoring.building.recipes import extrinsic
from scoring.building.recipes.extrinsic import OUTCOMES, report_of
from scoring.building.recipes.recipe import BuildCancelled, make, recipe
from scoring.extrinsic.experiment import accuracies, read_labelled, run, split
from scoring.metrics import Pair, create
from scoring.metrics.files import FileRefused
from tests.scoring.building.recipes.stores import store_of
from tests.scoring.extrinsic.reviews import reviews, write_table

ASKED = {
    "systems": "PG1+PG2",
    "classifiers": "nb+mlp",
    "split": "60,20,40",
    "metrics": "pinc+bleu",
    "bootstrap": "20",
}


def table(folder, n=120):
    """A store of texts with two systems: one leaves words out, one repeats the original."""
    texts, labels = reviews(n)
    shorter = [" ".join(text.split()[:-3]) for text in texts]
    columns = {
        "id": [f"r{at}" for at in range(n)],
        "text": texts,
        "label": labels,
        "PG1": shorter,
        "PG2": texts,
    }
    return store_of("texts", write_table(folder / "texts.csv", columns).read_text(), folder)


def made(store, folder, **options):
    return make(recipe("extrinsic"), {"texts": store}, folder / "build", {**ASKED, **options})


@pytest.mark.slow
def test_its_report_is_that_of_the_experiment(tmp_path):
    store = table(tmp_path)
    found = made(store, tmp_path, repeat="2")
    report = report_of(found.store)
    data = read_labelled(store / "rows.jsonl", ["text", "PG1", "PG2"], "label")
    parts = [split(data.ids, data.labels, (60, 20, 40), seed) for seed in (1, 2)]
    first, second = (run(data, part, ["nb", "mlp"], seed=at) for at, part in enumerate(parts, 1))
    assert report["accuracy"] == accuracies(first.trained)
    assert report["on_paraphrases"] == accuracies(first.tested)
    assert report["comparisons"] == first.comparisons()
    again = accuracies(second.trained)["nb"]["PG1"]["value"]
    assert report["repeats"]["nb"]["PG1"]["values"][1] == again
    # A system that repeats the original gives what the original gives.
    for row in report["accuracy"].values():
        assert row["PG2"] == row["text"]
    rows = list(csv.DictReader((found.store / OUTCOMES).read_text().splitlines()))
    assert len(rows) == 40 * 3 * 2
    assert found.numbers == {"rows": 120, "classifiers": 2}


@pytest.mark.slow
def test_metrics_score_the_paraphrases_of_the_test_part(tmp_path):
    store = table(tmp_path)
    report = json.loads((made(store, tmp_path).store / "report.json").read_text())
    data = read_labelled(store / "rows.jsonl", ["text", "PG1", "PG2"], "label")
    rows = split(data.ids, data.labels, (60, 20, 40), 1).test
    pairs = [Pair(data.texts["text"][row], data.texts["PG1"][row]) for row in rows]
    for name in ("pinc", "bleu"):
        scores = [one.value for one in create(name).score_many(pairs)]
        mean = next(
            one["mean"]
            for one in report["intrinsic"]["systems"]
            if (one["metric"], one["system"]) == (name, "PG1")
        )
        assert mean == pytest.approx(np.mean(scores))
        assert name in report["metrics"][name]


@pytest.mark.slow
def test_a_killed_process_loses_one_training_at_most(tmp_path):
    store = table(tmp_path)

    def stop(stage, number, share):
        if stage == "mlp-2":
            raise BuildCancelled

    with pytest.raises(BuildCancelled):
        make(recipe("extrinsic"), {"texts": store}, tmp_path / "build", ASKED, progress=stop)
    done = {path.name for path in (tmp_path / "build").iterdir() if path.is_dir()}
    assert {"linear-1", "mlp-1", "linear-2"} <= done
    shares = []
    resumed = make(
        recipe("extrinsic"),
        {"texts": store},
        tmp_path / "build",
        ASKED,
        progress=lambda stage, number, share: stage == "linear-2" and shares.append(share),
    )
    assert shares == [0.0, 1.0]
    plain = made(store, tmp_path / "again").store / "report.json"
    assert (resumed.store / "report.json").read_bytes() == plain.read_bytes()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"label": "grade"}, FileRefused, "texts:1: .*grade"),
        ({"split": "100,20,40"}, FileRefused, "texts:0: has 120 texts that can be used"),
        ({"split": "1,2"}, ValueError, "split=1,2 is not allowed"),
        ({"classifiers": "forest"}, ValueError, "classifiers=forest is not allowed"),
        ({"metrics": "blue"}, ValueError, "Did you mean bleu"),
        ({"metrics": "weem4pg"}, ValueError, "weem4pg: the option vectors=FILE is missing"),
        ({"systems": "PG7"}, ValueError, "PG7"),
    ],
)
def test_what_cannot_be_done_says_why(options, error, message, tmp_path):
    with pytest.raises(error, match=message):
        made(table(tmp_path), tmp_path, **options)


def test_a_row_is_named_by_its_number(tmp_path):
    """The store does not know the lines of the file."""
    store = store_of("texts", "id,text,label\na,so it is,1\n,,\nb,and was,1.5\n", tmp_path)
    with pytest.raises(FileRefused, match=r"^texts: row 2: column 'label': .*1\.5"):
        made(store, tmp_path, systems="text")


def test_classes_of_few_texts_are_a_warning(tmp_path):
    report = report_of(made(table(tmp_path, 30), tmp_path, split="usual", metrics="none").store)
    assert "Classes of fewer than 10 texts" in json.dumps(report["warnings"])
    assert "intrinsic" not in report


def test_nets_are_refused_at_once_where_torch_is_missing(monkeypatch):
    found = recipe("extrinsic")
    for there in (False, True):
        monkeypatch.setattr(extrinsic, "has_torch", lambda there=there: there)
        if there:
            assert found.read({"classifiers": "nb+gru"})["classifiers"] == "nb+gru"
            continue
        assert found.read({"classifiers": "nb"})
        with pytest.raises(ValueError, match="gru need the extra neural"):
            found.read({"classifiers": "nb+gru"})

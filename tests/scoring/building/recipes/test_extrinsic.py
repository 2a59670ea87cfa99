"""The recipe `extrinsic`, beside the experiment of the command."""

import csv
import json
import re

import numpy as np
import pytest
from sklearn.svm import SVR

from scoring.building.language_model import train, write_arpa
from scoring.building.recipes import extrinsic
from scoring.building.recipes.corpus import PEM_STYLE, out_of_fold
from scoring.building.recipes.extrinsic import OPTIONS, OUTCOMES, need_vectors, report_of
from scoring.building.recipes.recipe import BuildCancelled, make, recipe
from scoring.extrinsic.experiment import accuracies, read_labelled, run, split
from scoring.metrics import Pair, create
from scoring.metrics.combination.pem_style import FEATURES
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


# Options of the recipe `extrinsic`.


BY_NAME = {one.name: one for one in OPTIONS}


@pytest.mark.parametrize(
    ("name", "given", "kept"),
    [
        ("split", "usual", "usual"),
        ("split", "60, 0, 40", "60,0,40"),
        ("metrics", "", "none"),
        ("metrics", "pinc+bleu", "pinc+bleu"),
        ("classifiers", "nb+svm", "nb+svm"),
    ],
)
def test_what_is_allowed(name, given, kept):
    assert BY_NAME[name].read("extrinsic", given) == kept


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("split", "0,1,2"),
        ("split", "1,2,0"),
        ("split", "1,2"),
        ("split", "a,b,c"),
        ("metrics", "nothing"),
        ("metrics", "pinc+paraeval"),
        ("classifiers", "tree"),
        ("repeat", "0"),
    ],
)
def test_what_is_not(name, given):
    with pytest.raises(ValueError, match=re.escape(given)):
        BY_NAME[name].read("extrinsic", given)


def test_which_metrics_need_vectors():
    assert need_vectors("pinc+weem4pg") == ["weem4pg"]
    assert need_vectors("none") == []


# The recipe `pem_style`: training, its figures, and the metric that reads what it made.


WORDS = ["dog", "cat", "runs", "sleeps", "big", "old", "here", "now"]
NEAR = {"dog": "hound", "big": "large", "old": "aged", "now": "today"}
SETTINGS = {"original": "o", "paraphrase": "p", "gold": "g", "tokenize": "none"}


def pairs_with_gold(n):
    """The more words are changed for others than near ones, the lower the gold."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(n):
        words = rng.choice(WORDS, 6).tolist()
        wrong = int(rng.integers(0, 5))
        new = [NEAR.get(word, word) if at >= wrong else "zoo" for at, word in enumerate(words)]
        found.append((" ".join(words), " ".join(new), 5 - wrong + float(rng.normal(0, 0.3))))
    return found


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pem")
    names = {word: f"x{at}" for at, word in enumerate(WORDS)}
    rows = [(names[word], word) for word in WORDS]
    rows += [(names[word], other) for word, other in NEAR.items()] + [("y", "zoo")]
    paths = {"translations": folder / "phrases.txt", "lm": folder / "model.arpa"}
    paths["translations"].write_text("".join(f"{f} ||| {e} ||| 1 1 1\n" for f, e in rows))
    text = folder / "text.txt"
    text.write_text("".join(f"{original}\n" for original, _, _ in pairs_with_gold(80)))
    with paths["lm"].open("wb") as stream:
        write_arpa(train(text, order=2).model, stream)
    return paths


def trained(files, folder, n=120, **options):
    lines = [f"{o},{p},{g}" for o, p, g in pairs_with_gold(n)]
    texts = store_of("texts", "\n".join(["o,p,g", *lines, "no gold,here,"]), folder)
    return make(PEM_STYLE, {"texts": texts, **files}, folder / "made", {**SETTINGS, **options})


def test_it_predicts_what_scikit_learn_predicts(files, tmp_path):
    made = trained(files, tmp_path)
    assert made.kind == "regressor" and made.numbers["rows"] == 120
    found = json.loads(made.plain.read_text())
    figures = found["figures"]
    assert figures["out_of_fold_pearson"] <= figures["in_sample_pearson"]
    assert figures["out_of_fold_pearson"] > 0.8
    metric = create("pem_style", {"regressor": str(made.store), **_paths(files)})
    rows = pairs_with_gold(120)
    scores = metric.score_many([Pair(original, other) for original, other, _ in rows])
    x = np.array([[score.detail[name] for name in FEATURES] for score in scores])
    y = np.array([gold for *_, gold in rows])
    z, target = (x - x.mean(axis=0)) / x.std(axis=0), (y - y.mean()) / y.std()
    plain = SVR(C=1, epsilon=0.1, gamma=1 / 4).fit(z, target).predict(z) * y.std() + y.mean()
    assert [score.value for score in scores] == pytest.approx(plain.tolist())
    assert figures["in_sample_pearson"] == pytest.approx(np.corrcoef(plain, y)[0, 1])
    again = create("pem_style", {"regressor": str(made.plain), **_paths(files)})
    found, other = (one.score(Pair("big dog", "large hound")).value for one in (metric, again))
    assert found == pytest.approx(other)
    assert again.signature() == metric.signature()
    assert metric.score(Pair("big dog", "?")).reason


def test_texts_of_an_original_are_in_one_fold():
    """Each text repeats its original's gold, which another text of it would give away."""
    rng = np.random.default_rng(1)
    gold = np.repeat(rng.normal(size=30), 4)
    x = np.column_stack([np.repeat(rng.normal(size=30), 4) for _ in FEATURES])
    found = out_of_fold(x, gold, np.repeat(np.arange(30), 4))
    assert abs(np.corrcoef(found, gold)[0, 1]) < 0.5
    assert np.isnan(out_of_fold(x, gold, np.zeros(120, dtype=np.int64))).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 30}, "at least 50"),
        ({"gold": "none"}, "no column 'none'"),
        ({"gold": "p"}, "^texts: row 1: .*is no number"),
    ],
)
def test_what_cannot_be_trained_on_is_refused(files, tmp_path, options, message):
    with pytest.raises(FileRefused, match=message):
        trained(files, tmp_path, **options)


def test_other_files_and_other_content_are_refused(files, tmp_path):
    made = trained(files, tmp_path, 60)
    other = tmp_path / "other.txt"
    other.write_text("hund ||| dog ||| 1 1 1\n")
    given = {**_paths(files), "translations": str(other)}
    with pytest.raises(FileRefused, match="another file translations="):
        create("pem_style", {"regressor": str(made.store), **given}).load()
    for content in ('{"features": []}', "[1]", "no JSON"):
        bad = tmp_path / "bad.json"
        bad.write_text(content)
        with pytest.raises(FileRefused, match="no regressor"):
            create("pem_style", {"regressor": str(bad), **_paths(files)}).load()


def _paths(files):
    return {name: str(path) for name, path in files.items()}

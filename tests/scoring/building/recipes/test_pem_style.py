"""The recipe `pem_style`: training, its figures, and the metric that reads what it made."""

import json

import numpy as np
import pytest
from sklearn.svm import SVR

from scoring.building.language_model import train, write_arpa
from scoring.building.recipes.corpus import PEM_STYLE, out_of_fold
from scoring.building.recipes.recipe import make
from scoring.metrics import Pair, create
from scoring.metrics.combination.pem_style import FEATURES
from scoring.metrics.files import FileRefused
from tests.scoring.building.recipes.stores import store_of

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

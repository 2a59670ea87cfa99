"""Sources of paraphrases that are files."""

from math import log

import pytest

from scoring.building.paraphrases.features import LABELLED
from scoring.building.paraphrases.table import open_phrases
from scoring.building.recipes.test_set import directed
from scoring.building.test_sets.building import Chooser, open_source
from scoring.metrics.files import FileRefused
from tests.scoring.building.recipes.stores import store_of
from tests.scoring.building.test_sets.invented import InventedSource
from tests.scoring.metrics.resources.test_table_reading import MOSES


def test_a_file_gives_the_best_first_and_only_what_is_asked(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text("a b\tx\t0.2\na b\ty\t0.5\na  b\tx\t0.3\na b\ta b\t0.9\nc\td\t1\n")
    source = open_source(path, {"a b"})
    assert source.best("a b") == [("y", 0.5), ("x", 0.3)]
    assert source.best("c") == []
    assert (source.labels, source.labels_of("a b"), source.best_with("a b", "NP")) == ((), {}, [])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a\tb\n", "table.tsv:1: has 2 cells instead of 3"),
        ("a\tb\t0.1\na\tb\t0\n", "table.tsv:2: 0 is not a probability"),
        ("a\tb\tnan\n", "table.tsv:1: nan is not a probability"),
        ("a\tb\tp\n", "table.tsv:1: p is not a probability"),
        ("\n", "table.tsv:0: has no paraphrase"),
    ],
)
def test_what_is_no_table_is_told(tmp_path, text, says):
    path = tmp_path / "table.tsv"
    path.write_text(text)
    with pytest.raises(FileRefused, match=says):
        open_source(path, {"a"})


def ppdb(*rows):
    """Lines of PPDB from label, phrase, paraphrase, p(e2|e1), p(e2|e1,LHS) and p(LHS|e1)."""
    names = ("-logp(e2|e1)", "-logp(e2|e1,LHS)", "-logp(LHS|e1)")
    return "".join(
        f"[{label}] ||| {one} ||| {other} ||| "
        + " ".join(f"{name}={-log(p):.9f}" for name, p in zip(names, values, strict=True))
        + " ||| 0-0 ||| Equivalence\n"
        for label, one, other, *values in rows
    )


RUN = ppdb(
    ("NN", "run", "race", 0.3, 0.6, 0.25),
    ("VB", "run", "operate", 0.5, 0.7, 0.75),
    ("VB", "run", "race", 0.3, 0.1, 0.75),
    ("VB", "operate", "run", 0.4, 0.4, 1.0),
)


def test_a_table_of_ppdb_is_a_source_with_its_labels(tmp_path):
    store = open_phrases(directed(store_of("table", RUN, tmp_path)))
    (tmp_path / "ppdb.txt").write_text(RUN)
    for source in (store, open_source(tmp_path / "ppdb.txt", {"run"})):
        best = dict(source.best("run"))
        assert list(best) == ["operate", "race"] and set(source.labels) == {"NN", "VB"}
        assert best == pytest.approx({"operate": 0.5, "race": 0.3})
        assert dict(source.best_with("run", "VB")) == pytest.approx({"operate": 0.7, "race": 0.1})
        assert dict(source.best_with("run", "NN")) == pytest.approx({"race": 0.6})
        assert source.labels_of("run") == {"NN": 250_000, "VB": 750_000} and not source.counted
        # The mean over the labels of the phrase: .25 x .6 + .75 x .1 = .225, and .75 x .7 = .525.
        chooser = Chooser(source, parsed=True, min_labelled=10**9)
        found = chooser.choose(["run"], 0, 1, "NN")
        assert sorted(found) == [0, 2, 4, 6]
        of_labels = {one.text: one.probability for one in found[2]}
        assert of_labels == pytest.approx({"operate": 0.525, "race": 0.225})
        assert [[one.text for one in found[k]] for k in (0, 4, 6)] == [
            ["operate", "race"],
            ["race"],
            ["race"],
        ]
    assert store.best("operate") == [("run", pytest.approx(0.4))]


def test_a_table_of_moses_is_a_source_by_pivoting(tmp_path):
    store = open_phrases(directed(store_of("table", MOSES, tmp_path)))
    # As the table of paraeval has them, but each direction by itself.
    assert dict(store.best("a house")) == pytest.approx({"a home": 0.19})
    assert dict(store.best("a home")) == pytest.approx({"a house": 0.31, "the bank": 0.0}, abs=1e-9)
    assert store.labels == () and store.counted


def test_features_without_the_probability_are_no_source(tmp_path):
    place = store_of("table", "[NP] ||| a car ||| an auto ||| p(f|e)=1 X=NA ||| 0-0\n", tmp_path)
    assert not (place / LABELLED).exists()
    with pytest.raises(FileRefused, match="how probable"):
        directed(place)


def test_paraphrases_of_marks_alone_are_left_out_on_request(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text("the man\t.\t0.5\nthe man\tthe man ,\t0.3\nthe man\ta man\t0.1\n")
    texts = {
        marks: [text for text, _p in open_source(path, {"the man"}, marks=marks).best("the man")]
        for marks in ("keep", "words", "other_words")
    }
    assert texts == {
        "keep": [".", "the man ,", "a man"],
        "words": ["the man ,", "a man"],
        "other_words": ["a man"],
    }


def test_counts_that_are_too_few_are_no_hindrance_where_nobody_counted():
    rows = {"run": [("race", 0.5)]}
    by_label = {("run", "NN"): [("race", 0.5)]}
    for counted, given in ((True, []), (False, ["race"])):
        source = InventedSource(rows, {"run": {"NN": 2}}, by_label, counted)
        found = Chooser(source, parsed=True).choose(["run"], 0, 1, "NN")
        assert [one.text for one in found[6]] == given

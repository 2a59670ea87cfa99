"""The eight conditions, on one phrase with two labels."""

import math
from math import log

import pytest

from scoring.building.labels import numbered_labels, parse_tree, span_labels
from scoring.building.paraphrases.features import LABELLED
from scoring.building.paraphrases.table import build_store, open_phrases, paraphrase
from scoring.building.recipes.test_set import directed
from scoring.building.test_sets.building import Chooser, open_source
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.arpa import read_arpa
from tests.scoring.building.paraphrases.linked import as_linked
from tests.scoring.building.recipes.stores import store_of
from tests.scoring.building.test_sets.invented import InventedSource
from tests.scoring.metrics.resources.test_table_reading import MOSES

SOURCE = InventedSource(
    rows={"a group": [("group of", 0.4), ("groups", 0.3), ("a crowd", 0.2)]},
    seen={
        "a group": {"NP": 6, "NP/PP": 2},
        "a crowd": {"NP": 3},
        "groups": {"NP/PP": 1},
        "group of": {"X": 4},
    },
    labelled={
        ("a group", "NP"): [("a crowd", 0.5), ("the group", 0.1)],
        ("a group", "NP/PP"): [("groups", 0.9), ("a crowd", 0.1)],
    },
)
SENTENCE = ["see", "a", "group", "here"]
# The words of one of the paraphrases are likelier than those of the others.
ARPA = """\
\\data\\
ngram 1=6

\\1-grams:
-99\t<s>
-1\t</s>
-3\t<unk>
-1\tsee
-1\there
-0.5\tgroups

\\end\\
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "lm.arpa"
    path.write_text(ARPA, "utf-8")
    return read_arpa(path).model


def texts(chooser, label):
    found = chooser.choose(SENTENCE, 1, 3, label)
    return {condition: [one.text for one in choices] for condition, choices in found.items()}


def test_conditions_without_a_model():
    assert texts(Chooser(SOURCE, parsed=True), "NP") == {
        0: ["group of", "groups", "a crowd"],
        # a crowd: 6/8 x .5 + 2/8 x .1 = .4; groups: 2/8 x .9 = .225; the group: 6/8 x .1.
        2: ["a crowd", "groups", "the group"],
        4: ["a crowd"],
        6: ["a crowd", "the group"],
    }


def test_the_probability_is_that_of_the_condition():
    found = Chooser(SOURCE, parsed=True).choose(SENTENCE, 1, 3, "NP")
    values = {condition: choices[0].probability for condition, choices in found.items()}
    assert values == {0: 0.4, 2: pytest.approx(0.4), 4: 0.2, 6: 0.5}
    assert found[0][0].fluency is None


def test_a_rare_label_gives_none_where_it_is_estimated():
    # Seen with NP/PP twice only; but paraphrases seen with it can be substituted.
    assert texts(Chooser(SOURCE, parsed=True), "NP/PP") == {
        0: ["group of", "groups", "a crowd"],
        2: ["a crowd", "groups", "the group"],
        4: ["groups"],
        6: [],
    }
    assert texts(Chooser(SOURCE, parsed=True, min_labelled=2), "NP/PP")[6] == ["groups", "a crowd"]
    assert texts(Chooser(SOURCE, parsed=True, min_labelled=9), "NP")[2] == []


def test_a_place_without_a_label_gives_none_where_the_place_counts():
    found = texts(Chooser(SOURCE, parsed=True), None)
    assert (found[4], found[6]) == ([], [])
    assert found[2] != []


def test_the_language_model_chooses_among_the_same(model):
    found = texts(Chooser(SOURCE, model=model, parsed=True), "NP")
    assert list(found) == [0, 1, 2, 3, 4, 5, 6, 7]
    # log10 .3 - .5 beats log10 .4 - 6, as two unknown words have -3 each.
    assert found[1] == ["groups", "group of", "a crowd"]
    assert found[3] == ["groups", "a crowd", "the group"]
    for condition in (1, 3, 5, 7):
        assert sorted(found[condition]) == sorted(found[condition - 1])


def test_fluency_is_the_sentence_with_its_end(model):
    (one, *_) = Chooser(SOURCE, model=model).choose(SENTENCE, 1, 3, None)[1]
    assert one.fluency == pytest.approx(-1 - 0.5 - 1 - 1)  # see groups here </s>


def test_a_phrase_that_this_source_does_not_have(model):
    assert texts(Chooser(InventedSource(rows={}), model=model), None) == {0: [], 1: []}


def test_weight_and_words_change_the_choice(model):
    assert texts(Chooser(SOURCE, model=model, weight=0), None)[1][0] == "group of"
    chooser = Chooser(SOURCE, model=model, per_word=True, weight=0.1)
    # -3.5 / 4 against -9 / 5, a tenth of it each: .0875 and .18, less than log10(.4 / .3) = .125.
    assert chooser.choose(SENTENCE, 1, 3, None)[1][0].text == "group of"
    gap = math.log10(0.4 / 0.3)
    chooser = Chooser(SOURCE, model=model, per_word=True, weight=1.01 * gap / (9 / 5 - 3.5 / 4))
    assert chooser.choose(SENTENCE, 1, 3, None)[1][0].text == "groups"


def test_only_conditions_whose_parts_are_there(model):
    plain = InventedSource(rows=SOURCE.rows)
    assert Chooser(plain, parsed=True).conditions() == (0,)
    assert Chooser(plain, model=model).conditions() == (0, 1)
    assert Chooser(SOURCE).conditions() == (0, 2)
    assert Chooser(SOURCE, parsed=True, model=model).conditions() == tuple(range(8))
    assert Chooser(plain).has("a group")
    assert not Chooser(plain).has("group")


def test_labels_mend_what_pivoting_breaks(tmp_path):
    """Of *a group of people* the most probable paraphrase ends in a verb; with labels none does."""
    rows = [
        ("(S (NP (NP (DT a) (NN group)) (PP (IN of) (NP (NNS people)))) (VP (VBP run)))", 4),
        # "gruppe" is aligned with all but the last word, so that "are" is in the phrase.
        ("(S (NP (NP (DT a) (NN group)) (PP (IN of) (NP (NNS people)))) (VP (VBP are) (VP r)))", 6),
        ("(S (NP (JJ several) (NNS people)) (VP (VBP run)))", 2),
    ]
    english, foreign, links, trees = [], [], [], []
    for text, times in rows:
        tree, words = parse_tree(text)
        for _ in range(times):
            english.append(words)
            foreign.append(["gruppe", "rennt"])
            links.append([(n, int(n == len(words) - 1)) for n in range(len(words))])
            trees.append(tree)
    names = {}
    labels = (span_labels(tree, longest=5) for tree in trees)
    given = numbered_labels(labels, english, names)
    table = paraphrase([as_linked(english, foreign, links, labels=given)])
    chooser = Chooser(build_store(table, tuple(names)), parsed=True, min_labelled=1)
    found = chooser.choose(english[0], 0, 4, "NP")
    best = {condition: choices[0].text for condition, choices in found.items()}
    assert best == {
        0: "a group of people are",
        2: "several people",
        4: "several people",
        6: "several people",
    }
    assert [one.text for one in found[2]] == ["several people"]


# Sources of paraphrases that are files.


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

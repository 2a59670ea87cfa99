"""The eight conditions, on one phrase with two labels."""

import math

import pytest

from scoring.building.labels import numbered_labels, parse_tree, span_labels
from scoring.building.paraphrases.table import build_store, paraphrase
from scoring.building.test_sets.building import Chooser
from scoring.metrics.resources.arpa import read_arpa
from tests.scoring.building.paraphrases.linked import as_linked
from tests.scoring.building.test_sets.invented import InventedSource

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
    path.write_text(ARPA, encoding="utf-8")
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

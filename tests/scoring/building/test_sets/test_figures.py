"""Figures of a test set."""

from scoring.building.test_sets.building import Chooser, figures, make_items, select
from scoring.building.test_sets.drawing import Cuts, enumerate_phrases
from tests.scoring.building.test_sets.invented import InventedSource

SENTENCES = [["a", "dog", "ran", "."], ["the", "dog", "sat"]]
CUTS = Cuts(max_words=1, test_least=2, train_least=10)


def found(*, train=None):
    source = InventedSource({"dog": [("hound", 0.5)], "ran": [("sprinted", 0.5)]})
    choosers = {"": Chooser(source)}
    phrases = enumerate_phrases(SENTENCES, CUTS)
    candidates, used = select(
        phrases, CUTS, 2, grammar_words={"a", "the"}, train=train, choosers=choosers
    )
    items = make_items(
        candidates,
        2,
        sentences=SENTENCES,
        choosers=choosers,
        seed=1,
        contexts=4,
        labels=None,
        share=0.0,
    )
    return figures(
        n_requested=2, every=len(phrases), candidates=candidates, cuts=CUTS, used=used, items=items
    )


def test_what_each_cut_off_removed_and_what_was_lowered():
    told = found()
    assert (told["asked"], told["every"]) == (2, 6)
    assert told["removed"] == {
        "grammar words and marks alone": 3,
        "a mark at an end": 0,
        "test count": 0,
        "no paraphrase": 1,
        "overlaps a phrase drawn": 0,
    }
    assert told["lowered"] == [["test_least", 2, 1]]
    assert told["cut_offs"] == {
        "min_words": 1,
        "max_words": 1,
        "test_least": 1,
        "test_most": 60,
        "train_least": None,
    }
    # Two places of dog, one of ran.
    assert (told["phrases"], told["items"], told["texts"]) == (2, 3, 3)
    assert told["coverage"] == {"0": 3}


def test_the_training_text_has_a_cut_off_if_there_is_one():
    told = found(train={"a": 9, "dog": 9, "ran": 3, ".": 9, "the": 9, "sat": 9})
    assert told["lowered"] == [["test_least", 2, 1], ["train_least", 10, 3]]
    assert told["cut_offs"]["train_least"] == 3

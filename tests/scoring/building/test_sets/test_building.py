"""Items of test sets."""

from scoring.building.test_sets.building import Chooser, figures, make_items, select
from scoring.building.test_sets.drawing import Cuts, enumerate_phrases
from tests.scoring.building.test_sets.invented import InventedSource

SENTENCES = [["dogs", "run"], ["old", "dogs", "bark"], ["cats", "run"]]
SOURCE = InventedSource(rows={"dogs": [("hounds", 0.5), ("pets", 0.2)], "run": [("jog", 0.1)]})
PHRASES = enumerate_phrases(SENTENCES, Cuts())


def chosen(n, cuts, train=None, **options):
    return select(
        PHRASES, cuts, n, grammar_words=(), train=train, choosers={"t": Chooser(SOURCE)}, **options
    )


def items(choosers, **options):
    candidates, _ = chosen(2, Cuts())
    return make_items(
        candidates,
        2,
        sentences=SENTENCES,
        choosers=choosers,
        seed=1,
        contexts=4,
        labels=None,
        share=0.5,
        **options,
    )


def test_cut_offs_are_lowered_only_where_too_few_pass():
    train = dict.fromkeys(PHRASES, 5)
    assert chosen(2, Cuts())[1] == Cuts()
    assert chosen(2, Cuts(), train)[1] == Cuts(train_least=3)
    found, used = chosen(9, Cuts(), train)
    assert used == Cuts(test_least=1, train_least=1)
    assert sorted(found.places) == ["dogs", "run"]
    assert chosen(9, Cuts(), train, lower_test=False, lower_train=False)[1] == Cuts()
    assert chosen(9, Cuts(), train, lower_test=False)[1] == Cuts(train_least=1)
    assert chosen(9, Cuts(), train, lower_train=False)[1] == Cuts(test_least=1)


def test_an_item_is_a_phrase_in_a_sentence():
    found = items({"t": Chooser(SOURCE)})
    assert [item.name for item in found] == ["1.1", "1.2", "2.1", "2.2"]
    for item in found:
        assert item.sentence[item.start : item.end] == item.drawn.phrase
        assert [one.system for one in item.outputs] == ["0"]


def test_of_several_sources_systems_have_both_names():
    other = InventedSource(rows={"dogs": [("hounds", 0.9)]})
    found = items({"one": Chooser(SOURCE), "two": Chooser(other)}, ranks=2)
    (item, *_) = [item for item in found if item.drawn.phrase == "dogs"]
    told = [(o.system, o.rank, o.choice.text if o.choice else None) for o in item.outputs]
    assert told == [
        ("one:0", 1, "hounds"),
        ("one:0", 2, "pets"),
        ("two:0", 1, "hounds"),
        ("two:0", 2, None),
    ]
    assert {text: len(outputs) for text, outputs in item.by_text().items()} == {
        "hounds": 2,
        "pets": 1,
    }


# Figures of a test set.


GIVEN = [["a", "dog", "ran", "."], ["the", "dog", "sat"]]
CUTS = Cuts(max_words=1, test_least=2, train_least=10)


def found(*, train=None):
    source = InventedSource({"dog": [("hound", 0.5)], "ran": [("sprinted", 0.5)]})
    choosers = {"": Chooser(source)}
    phrases = enumerate_phrases(GIVEN, CUTS)
    candidates, used = select(
        phrases, CUTS, 2, grammar_words={"a", "the"}, train=train, choosers=choosers
    )
    items = make_items(
        candidates,
        2,
        sentences=GIVEN,
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

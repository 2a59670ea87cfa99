"""Cut-offs and draws."""

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.building.labels import SpanLabel
from scoring.building.test_sets.drawing import Candidates, Cuts, draw, enumerate_phrases, passing

SENTENCES = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=7), max_size=8)


def test_phrases_are_enumerated_with_their_places():
    found = enumerate_phrases([["a", "b", "a", "b"], ["b"]], Cuts(min_words=1, max_words=2))
    assert found == {
        "a": [(0, 0, 1), (0, 2, 3)],
        "a b": [(0, 0, 2), (0, 2, 4)],
        "b": [(0, 1, 2), (0, 3, 4), (1, 0, 1)],
        "b a": [(0, 1, 3)],
    }


def test_every_cut_off_tells_what_it_removed():
    phrases = {
        "of the": 9,
        "The ,": 9,
        "rare": 1,
        "common": 4,
        "often": 7,
        "lone": 3,
        "good": 3,
        "dog .": 3,
        "( dog": 3,
        "a - b": 3,
    }
    places = {phrase: [(n, 0, 1) for n in range(count)] for phrase, count in phrases.items()}
    found = passing(
        places,
        Cuts(test_least=2, test_most=6, train_least=3),
        grammar_words={"of", "the"},
        train={"a - b": 3, "common": 2, "lone": 5, "good": 3, "rare": 9, "often": 9},
        has_paraphrase=lambda phrase: phrase != "lone",
    )
    assert list(found.places) == ["good", "a - b"]
    assert found.removed == {
        "grammar words and marks alone": 2,
        "a mark at an end": 2,
        "test count": 2,
        "train count": 1,
        "no paraphrase": 1,
    }


def test_without_a_training_text_there_is_no_such_cut_off():
    found = passing(
        {"x": [(0, 0, 1)] * 2},
        Cuts(),
        grammar_words=(),
        train=None,
        has_paraphrase=lambda phrase: True,
    )
    assert "train count" not in found.removed
    assert list(found.places) == ["x"]


@settings(max_examples=100)
@given(SENTENCES, st.integers(1, 6), st.integers(0, 3), st.integers(1, 3))
def test_no_two_places_overlap_and_the_draw_repeats(sentences, n, seed, contexts):
    phrases = enumerate_phrases(sentences, Cuts())
    one, two = (
        draw(Candidates(dict(phrases), None), n, seed=seed, contexts=contexts) for _ in "ab"
    )
    assert one == two
    assert len(one) <= n
    used = set()
    for drawn in one:
        assert 1 <= len(drawn.places) <= contexts
        for sentence, start, end in drawn.places:
            assert " ".join(sentences[sentence][start:end]) == drawn.phrase
            words = {(sentence, word) for word in range(start, end)}
            assert not used & words
            used |= words
    if len(one) < n:  # Then no phrase had a free place left.
        for phrase, places in phrases.items():
            if phrase not in {drawn.phrase for drawn in one}:
                assert all(used & {(s, w) for w in range(a, b)} for s, a, b in places)


def test_another_seed_draws_others():
    places = {f"w{number}": [(number, 0, 1)] for number in range(50)}
    draws = [
        {one.phrase for one in draw(Candidates(dict(places), None), 10, seed=seed)}
        for seed in range(3)
    ]
    assert len(set(map(frozenset, draws))) == 3


def test_constituents_have_the_share_asked_for():
    labels = [{(0, 1): SpanLabel(("NP",), constituent=number < 20)} for number in range(50)]
    places = {f"w{number}": [(number, 0, 1)] for number in range(50)}
    for n, share, wanted in ((11, 0.5, 6), (10, 0.2, 2), (10, 0, 0), (10, 1, 10), (30, 0.9, 20)):
        drawn = draw(Candidates(dict(places), None), n, labels=labels, share=share)
        assert len(drawn) == n
        assert abs(sum(one.constituent is True for one in drawn) - wanted) <= 1


def test_a_constituent_is_drawn_where_it_is_one():
    np = {(0, 1): SpanLabel(("NP",), constituent=True)}
    places = {"w": [(0, 0, 1), (1, 0, 1)], "v": [(2, 0, 1), (3, 0, 1), (4, 0, 1)]}
    drawn = draw(Candidates(places, None), 2, labels=[np, {}, np, {}, {}], share=0.5)
    found = {one.phrase: (one.constituent, one.places) for one in drawn}
    assert found == {"w": (True, ((0, 0, 1),)), "v": (False, ((3, 0, 1), (4, 0, 1)))}

"""Alignment of a small invented language, whose links are known."""

import random

import pytest

from scoring.building.alignment import HEURISTICS, MODELS, Stopped, align

NOUNS = ["dog", "cat", "man", "tree", "car", "bird", "house", "ball", "girl", "horse"]
VERBS = ["sees", "likes", "hits", "finds", "draws"]
ADJECTIVES = ["red", "old", "small", "big"]


def sentences(n, seed=3):
    """English word by word with a translation that puts the adjective behind the noun, and the
    links of both."""
    draw = random.Random(seed)
    english, foreign, links = [], [], []
    for _ in range(n):
        one, other = draw.sample(NOUNS, 2)
        adjective = draw.choice(ADJECTIVES)
        words = [adjective, one, draw.choice(VERBS), other]
        order = [1, 0, 2, 3]
        english.append(words)
        foreign.append([words[place].upper()[::-1] for place in order])
        links.append(sorted((place, at) for at, place in enumerate(order)))
    return english, foreign, links


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_the_links_of_an_invented_language_are_found(model):
    english, foreign, links = sentences(400)
    found = list(align(english, foreign, model=model))
    wanted = {(n, link) for n, pair in enumerate(links) for link in pair}
    got = {(n, link) for n, pair in enumerate(found) for link in pair}
    assert 2 * len(wanted & got) / (len(wanted) + len(got)) > 0.9
    assert all(pair == sorted(pair) for pair in found)


@pytest.mark.parametrize("model", ["fast_align", "eflomal"])
def test_the_same_text_gives_the_same_links(model):
    english, foreign, _ = sentences(60)
    once, again = (list(align(english, foreign, model=model, iterations=2)) for _ in range(2))
    assert once == again


def test_heuristics_take_more_or_fewer_links():
    english, foreign, _ = sentences(50)
    counts = {
        name: sum(map(len, align(english, foreign, iterations=1, symmetrize=name)))
        for name in HEURISTICS
    }
    assert counts["intersection"] <= counts["grow-diag"] <= counts["grow-diag-final-and"]
    assert counts["grow-diag-final-and"] <= counts["grow-diag-final"] <= counts["union"]
    assert counts["intersection"] < counts["union"]


def test_work_can_be_watched_and_stopped():
    english, foreign, _ = sentences(30)
    shares = []
    list(align(english, foreign, model="hmm", iterations=2, progress=shares.append))
    assert shares == sorted(shares)
    assert shares[-1] == 1
    seen = []
    with pytest.raises(Stopped):
        list(align(english, foreign, progress=seen.append, cancelled=lambda: len(seen) == 2))
    assert len(seen) == 2


@pytest.mark.parametrize(
    "wrong", [{"model": "ibm9"}, {"symmetrize": "grown"}, {"iterations": 0}], ids=str
)
def test_what_there_is_not_is_refused(wrong):
    with pytest.raises(ValueError, match="There is no|At least 1"):
        list(align([["a"]], [["b"]], **wrong))

"""Texts whose words are replaced by near ones."""

import numpy as np
import pytest

from scoring.building.vectors import replace_words, spans
from scoring.metrics.resources.vectors import Vectors

# By angle: film is nearest to movie, then show, then flick; the others are far.
ANGLES = {"movie": 0, "film": 5, "show": 12, "flick": 20, "the": 170, "a": 173, "it's": 180}


def vectors(angles=ANGLES):
    turned = np.radians(list(angles.values()))
    matrix = np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)
    return Vectors({word: row for row, word in enumerate(angles)}, matrix)


def replaced(text, rank=1, **options):
    return replace_words([text], vectors(), [rank], tokenize="words", **options).texts[rank][0]


def test_ranks_are_different_words():
    found = replace_words(["movie"], vectors(), [1, 2, 3])
    assert found.texts == {1: ["film"], 2: ["show"], 3: ["flick"]}
    assert found.replaced == {1: 1, 2: 1, 3: 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Movie, MOVIE  (movie)!\tunknown", "Film, FILM  (film)!\tunknown"),
        ("The movie", "A film"),
        ("It’s a movie", "A the film"),
        ("nothing, known... 12", "nothing, known... 12"),
        ("", ""),
    ],
)
def test_case_is_put_back_and_the_rest_stays(text, expected):
    assert replaced(text) == expected


def test_vectors_that_know_case_give_words_as_they_are():
    cased = vectors({"Paris": 0, "rome": 3, "x": 90, "y": 91})
    assert replace_words(["Paris paris"], cased, [1]).texts[1] == ["rome paris"]


def test_words_of_grammar_and_far_neighbours_may_stay():
    assert replaced("the movie", replace="content") == "the film"
    assert replaced("show the movie", 2, min_cosine=0.99) == "flick the movie"
    assert replaced("movie", 3, min_cosine=0.98) == "movie"


def test_coverage_counts_words_alone():
    found = replace_words(["movie - unknown , x"], vectors(), [1])
    assert (found.words, found.covered, found.coverage) == (3, 1, 1 / 3)
    assert replace_words(["- ,"], vectors(), [1]).coverage == 0


def test_pieces_between_blanks():
    assert [*spans("a well-known b. -- ", "none")] == [(0, 1), (2, 12), (13, 15)]
    assert replace_words(["the movie."], vectors(), [1]).texts[1] == ["a movie."]
    with pytest.raises(ValueError, match="tokenize=13a"):
        spans("a", "13a")

"""The Porter stems of English words (Porter 1980), by nltk."""

from importlib.metadata import version

import pytest

from scoring.metrics.texts.tokenizers import stem, stem_versions


@pytest.mark.parametrize(
    ("word", "its_stem"),
    [("caresses", "caress"), ("ponies", "poni"), ("relational", "relat"), ("hopping", "hop")],
)
def test_examples_of_the_paper(word, its_stem):
    assert stem(word) == its_stem


def test_the_library_is_named():
    assert stem_versions() == {"nltk": version("nltk")}

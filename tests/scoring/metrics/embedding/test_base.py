"""What metrics over word vectors share: their options, their words, their vectors."""

import pytest

from scoring.metrics import create
from scoring.metrics.embedding.base import EmbeddingMetric

NAMES = ("embedding_cosine", "wmd", "weem4pg")


@pytest.mark.parametrize("name", NAMES)
def test_words_are_cut_as_the_options_say(name, circle):
    metric = create(name, {"vectors": circle, "tokenize": "words", "lowercase": "no"})
    assert isinstance(metric, EmbeddingMetric)
    assert metric.words("Red, green!") == ("Red", "green")
    lower = create(name, {"vectors": circle, "tokenize": "words", "lowercase": "yes"})
    assert lower.words("Red, green!") == ("red", "green")

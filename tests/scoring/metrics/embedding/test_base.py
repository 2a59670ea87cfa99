"""What metrics over word vectors share: their options, their words, their vectors."""

from __future__ import annotations

import pytest

from scoring.metrics import create
from scoring.metrics.embedding.base import EmbeddingMetric
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.vectors import vectors_sha256

NAMES = ("embedding_cosine", "wmd", "weem4pg")


@pytest.mark.parametrize("name", NAMES)
def test_words_are_cut_as_the_options_say(name: str, circle: str) -> None:
    metric = create(name, {"vectors": circle, "tokenize": "words", "lowercase": "no"})
    assert isinstance(metric, EmbeddingMetric)
    assert metric.words("Red, green!") == ("Red", "green")
    lower = create(name, {"vectors": circle, "tokenize": "words", "lowercase": "yes"})
    assert lower.words("Red, green!") == ("red", "green")


@pytest.mark.parametrize("name", NAMES)
def test_the_file_is_part_of_the_signature_and_must_be_there(name: str, circle: str) -> None:
    metric = create(name, {"vectors": circle})
    assert metric.resources() == {"vectors": vectors_sha256(circle)}
    with pytest.raises(FileRefused, match="there is no such file"):
        create(name, {"vectors": f"{circle}.not"})

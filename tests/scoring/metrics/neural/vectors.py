"""What the toy model gives, computed without the classes of the project."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.simulate import examples

NAMES = ("bert_ibleu", "bertscore", "embedding_f1", "parascore", "sentence_cosine")

neural_is_here = pytest.mark.service("neural")

VOCABULARY = ["the", "cat", "cats", "dog", "sat", "lay", "on", "mat", "rug", "sitting", "."]

TEXTS = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=12).map(" ".join)

# The toy lies in the environment of the module: nothing of it changes between examples.
same_toy = settings(
    max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture]
)

A, B = "the cat sat on the mat", "a dog lay under the rug ."

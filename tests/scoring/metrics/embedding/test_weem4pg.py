"""WEEM4PG beside a plain loop over gensim's vectors, and the choices that its options name.

Hailu, Yu and Fantaye (2020), equation 1; the paper prints no worked example.
"""

import math

import pytest

from scoring.metrics import Pair, create
from tests.scoring.metrics.vector_files import cosine


def score(circle, original, paraphrase, **options):
    return create("weem4pg", {"vectors": circle, **options}).score(Pair(original, paraphrase))


NEAR = cosine("kitten", "cat")
SHARE = {"factor": "share"}


@pytest.mark.parametrize(
    ("original", "paraphrase", "options", "value"),
    [
        # Shared: cat (N = 1, factor 1). Nearest to `lay`: sat. (1 + cos 10 degrees) / 2.
        ("the cat sat", "cat lay", {}, (1 + cosine("lay", "sat")) / 2),
        # Shared: the, cat, sat (N = 3): sqrt(3)/3; `the` counts although it has no vector.
        ("the cat sat", "the cat sat", {}, math.sqrt(3) / 3),
        # A cosine below zero stays.
        ("cat", "not", {}, -1),
        # Nothing shared.
        ("cat", "kitten", {}, NEAR),
        ("cat", "kitten", {"zero_overlap": "zero"}, 0),
        ("cat", "kitten", {"zero_overlap": "undefined"}, None),
        ("cat", "kitten", {**SHARE, "zero_overlap": "zero"}, NEAR),
        # Unknown words; one that the original has is 1 either way.
        ("cat", "kitten unseen", {}, NEAR / 2),
        ("cat", "kitten unseen", {"unknown": "skip"}, NEAR),
        ("unseen cat", "unseen", {}, 1),
        ("unseen", "kitten", {}, None),
        ("cat", "unseen strange", {}, None),
        # 3 tokens are shared, 2 types.
        ("cat cat sat", "cat cat cat sat", {}, math.sqrt(3) / 3),
        ("cat cat sat", "cat cat cat sat", {"count": "types"}, math.sqrt(2) / 2),
        ("cat cat sat", "cat cat cat sat", {"count": "types_by_tokens"}, math.sqrt(2) / 3),
        # The share does not fall with length.
        ("cat sat", "kitten sat", SHARE, (1 - 1 / 2) * (1 + NEAR) / 2),
        ("cat sat " * 9, "kitten sat " * 9, SHARE, (1 - 1 / 2) * (1 + NEAR) / 2),
        # Case and punctuation.
        ("The CAT.", "the cat", {}, math.sqrt(2) / 2),
        ("CAT", "cat", {"lowercase": "no"}, None),
    ],
)
def test_worked_by_hand(circle, original, paraphrase, options, value):
    found = score(circle, original, paraphrase, **options)
    assert found.value == pytest.approx(value)
    assert ("zero_overlap" in (found.reason or "")) == (options.get("zero_overlap") == "undefined")


def test_it_tells_how_many_words_were_compared(circle):
    assert score(circle, "cat", "kitten unseen").detail == {"compared": 1, "words": 2}

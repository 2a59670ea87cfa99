"""BLEU-1max beside the figures of the APEM paper and a slow form."""

import pytest

from scoring.metrics import Pair, create

CANDIDATE, ONE = "the power failed last night", "the lights failed"
TWO = "last night power failed"


def bleu_1max(text, texts, **options):
    return create("bleu_1max", options).score(Pair("the original", text, tuple(texts)))


@pytest.mark.parametrize(
    ("text", "references", "options", "value"),
    [
        # APEM paper (Moon et al. 2015), section III.C, Fig. 3: a candidate of five words shares two
        # with reference 1, 2/5, and four with reference 2, 4/5; the final score is their maximum.
        # The words of the figure are not in the text of the paper: these share as many.
        (CANDIDATE, [ONE], {}, 2 / 5),
        (CANDIDATE, [TWO], {}, 4 / 5),
        (CANDIDATE, [ONE, TWO], {}, 4 / 5),
        # References are not pooled.
        ("a b", ["a x", "b x"], {}, 0.5),
        # One right word repeated is clipped unless told otherwise.
        ("the the the", ["the cat"], {}, 1 / 3),
        ("the the the", ["the cat"], {"clip": "no"}, 1),
        # Nor do case and punctuation count.
        ("The cat.", ["the cat"], {}, 1),
        ("The cat.", ["the cat"], {"lowercase": "no"}, 0.5),
        ("the cat.", ["the cat"], {"tokenize": "13a"}, 2 / 3),
        # Without a reference the original is compared with.
        ("the b", [], {}, 0.5),
    ],
)
def test_worked_by_hand(text, references, options, value):
    assert bleu_1max(text, references, **options).value == pytest.approx(value)

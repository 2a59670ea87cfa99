"""Modified Kneser-Ney against numbers of the formulas in plain Python."""

import random
from collections import Counter

import numpy as np
import pytest

from scoring.building.language_model import counted, discounts, estimate
from tests.scoring.building.numbered import numbered
from tests.scoring.building.zipf import zipf_sentences


def trained(sentences, order, prune=()):
    return estimate(*counted(numbered(sentences), order), prune)[0]


def predicted(model, context, word):
    """p(word | context) by the scores of two sentences' beginnings."""
    numbers = model.words.find(["<s>", *context, word, "</s>"])
    return float(10 ** model._logs(np.array(numbers[:-1]))[-1])


# Logarithms to base 10 of the first and of all of forty sentences, by the formulas written out with
# dictionaries. Those of one word have the discounts to fall back on, others their own.
FORMULAS = {
    1: (-4.532263, -389.90661),
    2: (-3.711631, -285.40186),
    3: (-3.991942, -294.48534),
    4: (-3.912888, -297.62764),
}


@pytest.mark.parametrize(("order", "expected"), FORMULAS.items())
def test_probabilities_are_those_of_the_formulas(order, expected):
    found = trained(zipf_sentences(300), order).score(zipf_sentences(40, seed=2)).logprob
    assert (found[0], found.sum()) == pytest.approx(expected, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("prune", [(), (0, 0, 1), (0, 1, 3)])
def test_the_words_after_any_context_share_1(prune):
    sentences = zipf_sentences(300)
    model = trained(sentences, 3, prune)
    marked = [("<s>", *sentence, "</s>") for sentence in sentences]
    for order in (2, 3):
        seen = Counter(one[at : at + order] for one in marked for at in range(len(one) - order + 1))
        least = prune[order - 1] if prune else 0
        assert len(model.levels[order - 1]) == sum(n > least for n in seen.values())
    draw = random.Random(3)
    words = [model.words[at] for at in range(len(model.words)) if model.words[at] != "<s>"]
    for _ in range(100):
        context = draw.choice(sentences)[: draw.randint(0, 4)]
        total = sum(predicted(model, context, word) for word in words)
        assert total == pytest.approx(1, abs=1e-6)


def test_discounts_by_hand():
    # n1 to n4 are 8, 4, 3, 2: Y = 8 / 16.
    found = discounts(np.repeat([1, 2, 3, 4, 5, 0], [8, 4, 3, 2, 9, 9]))
    assert found.estimated
    assert found.values == (1 - 2 * 0.5 * 4 / 8, 2 - 3 * 0.5 * 3 / 4, 3 - 4 * 0.5 * 2 / 3)


@pytest.mark.parametrize(
    "n",
    [
        (8, 4, 3, 0),  # No n-gram has the count 4 ...
        (8, 0, 3, 2),
        (0, 4, 3, 2),
        (8, 4, 20, 2),  # ... D_2 = 2 - 1.5 * 20 / 4 would be below 0 ...
        (8, 4, 1, 2),  # ... and D_3 = 3 - 2 * 2 / 1 too.
    ],
)
def test_discounts_fall_back(n):
    found = discounts(np.repeat([1, 2, 3, 4], n))
    assert (found.values, found.estimated) == ((0.5, 1.0, 1.5), False)

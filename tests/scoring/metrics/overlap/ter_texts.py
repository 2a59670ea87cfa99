"""Texts whose words were moved about."""

import pytest
from sacrebleu.metrics.ter import TER

from scoring.metrics import Pair, create


def ter(text, texts, **options):
    return create("ter", options).score(Pair("the original", text, tuple(texts)))


def assert_as_sacrebleu(text, reference):
    expected = TER().sentence_score(text, [reference]).score
    assert ter(text, [reference]).value == pytest.approx(expected, abs=1e-9)


def moved_about(rng, words, vocabulary):
    """The words with some blocks moved and some words put in, taken out or replaced."""
    words = list(words)
    for _ in range(rng.randint(0, 5)):
        start = rng.randrange(len(words) + 1)
        block = words[start : start + rng.randint(1, 8)]
        del words[start : start + len(block)]
        what = rng.random()
        if what < 0.7:
            target = rng.randint(0, len(words))
            words[target:target] = block
        elif what < 0.85:
            words.insert(start, rng.choice(vocabulary))
    return words


def random_pair(rng, most):
    vocabulary = [str(number) for number in range(rng.choice([2, 4, 10, 30, 200]))]
    reference = [rng.choice(vocabulary) for _ in range(rng.randint(1, most))]
    if rng.random() < 0.3:
        text = [rng.choice(vocabulary) for _ in range(rng.randint(0, most))]
    else:
        text = moved_about(rng, reference, vocabulary)
    return " ".join(text), " ".join(reference)

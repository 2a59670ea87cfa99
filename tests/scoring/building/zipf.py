"""Sentences of an invented language."""

import random


def zipf_sentences(n, seed=1):
    """Sentences whose words repeat as in language, each depending on the one before."""
    draw = random.Random(seed)
    words = [f"w{at}" for at in range(40)]
    weights = [1 / at for at in range(1, 41)]
    made = []
    for _ in range(n):
        one = draw.choices(words, weights, k=1)
        while draw.random() > 0.15:
            usual = words[(words.index(one[-1]) * 7 + 3) % 40]
            one.append(usual if draw.random() < 0.5 else draw.choices(words, weights)[0])
        made.append(one)
    return made

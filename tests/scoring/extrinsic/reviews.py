"""Made-up reviews: words of praise and blame among others."""

import csv

import numpy as np

from scoring.extrinsic.experiment import LabelledTexts

GOOD = ["good", "great", "fine", "loved", "superb"]
BAD = ["bad", "poor", "awful", "hated", "boring"]
PLAIN = [f"word{n}" for n in range(60)]


def reviews(n, seed=0):
    """Texts and their labels; no two texts are the same."""
    draw = np.random.default_rng(seed)
    texts = {}
    while len(texts) < n:
        label = ("neg", "pos")[len(texts) % 2]
        own, other = (GOOD, BAD) if label == "pos" else (BAD, GOOD)
        words = [*draw.choice(PLAIN, 6), *draw.choice(own, 3), draw.choice(other)]
        texts.setdefault(" ".join(draw.permutation(words)), label)
    return list(texts), list(texts.values())


def labelled(texts, labels):
    """Texts in memory, with ids that sort as they stand."""
    ids = tuple(f"t{at:05}" for at in range(len(labels)))
    columns = {name: tuple(column) for name, column in texts.items()}
    return LabelledTexts(ids, tuple(labels), columns, 0, 0, 0, 0, ())


def write_table(path, columns):
    """A CSV file of these columns."""
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path

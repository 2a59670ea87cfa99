"""Parts of labelled texts: training, validation and test, with the same share of each class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Training, validation and test of the paper, whose sum is 5,500.
PAPER = (2500, 2000, 1000)
PARTS = ("training", "validation", "test")

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Rows of each part; no row is in two."""

    training: Ints
    validation: Ints
    test: Ints


def usual_sizes(n: int) -> tuple[int, int, int]:
    """The sizes of the parts of n texts in the proportions of Hailu, Yu and Fantaye (2020)."""
    training, validation = (n * size // sum(PAPER) for size in PAPER[:2])
    return training, validation, n - training - validation


def split(
    ids: Sequence[str], labels: Sequence[str], sizes: tuple[int, int, int], seed: int
) -> Split:
    """Draw the parts. Each has as many texts of each class as its size allows, to within one.

    Depends on ids, labels and seed, and not on the order of rows; the rows of a part are in the
    order of their ids. ValueError if the parts are larger than the data.
    """
    if sum(sizes) > len(ids):
        raise ValueError(f"{sum(sizes)} texts are asked for and there are {len(ids)}")
    draw = np.random.default_rng(seed)
    by_id = sorted(range(len(ids)), key=ids.__getitem__)
    groups: dict[str, list[int]] = {name: [] for name in sorted(set(labels))}
    for row in by_id:
        groups[labels[row]].append(row)
    place: dict[int, tuple[float, int]] = {}
    for number, rows in enumerate(groups.values()):
        # A class with n texts has one in each n-th of the whole, so that every part gets its share.
        for at, row in enumerate(draw.permutation(rows).tolist()):
            place[row] = ((at + 0.5) / len(rows), number)
    order = sorted(by_id, key=place.__getitem__)
    parts, start = [], 0
    for size in sizes:
        rows = sorted(order[start : start + size], key=ids.__getitem__)
        parts.append(np.array(rows, dtype=np.int64))
        start += size
    return Split(*parts)

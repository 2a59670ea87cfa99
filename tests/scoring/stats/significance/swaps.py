"""Paired swaps gone through one by one."""

from itertools import product

import numpy as np


def share_of_swaps(human, a, b, codes):
    """The share of all swaps of two metrics, by whole clusters, in which the correlations with
    people differ as much as they do."""
    one, other = ((column - column.mean()) / column.std() for column in (a, b))
    gaps = []
    for swap in product([False, True], repeat=int(codes.max()) + 1):
        moved = np.array(swap)[codes]
        r = np.corrcoef([human, np.where(moved, other, one), np.where(moved, one, other)])[0]
        r = np.nan_to_num(r)  # A column without variation correlates with nothing.
        gaps.append(abs(r[1] - r[2]))
    return float(np.mean(np.array(gaps) >= gaps[0] - 1e-12))

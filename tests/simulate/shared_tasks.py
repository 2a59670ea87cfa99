"""Boards of shared tasks whose truth is known: are equal submissions told apart too often?

`python -m tests.simulate.shared_tasks` prints the shares over 1,000 tasks of each kind.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.stats.shared_tasks.board import Ratios, board_rows

ORIGINALS, PAIRS = 50, 12
EQUAL, MIXED = (0.62,) * 8, (0.66,) * 4 + (0.60,) * 4


@dataclass(frozen=True)
class Simulated:
    """Shares of tasks: with any two of 8 equal ones separated; with all rank intervals holding."""

    separated: float
    holds_equal: float
    holds_mixed: float


def make(shares, rng):
    """Decisions that depend on how hard an original is, for all and for each submission."""
    hard = rng.normal(0, 0.1, (ORIGINALS, 1)) + rng.normal(0, 0.08, (ORIGINALS, len(shares)))
    n = rng.integers(1, PAIRS, (ORIGINALS, 1))
    top = rng.binomial(n, np.clip(np.array(shares) + hard, 0, 1)).astype(np.float64)
    return Ratios([str(at) for at in range(len(shares))], top, np.broadcast_to(n, top.shape) * 1.0)


def simulate(*, tasks, seed, permutations=999):
    rng = np.random.default_rng(seed)
    separated = holds_equal = holds_mixed = 0
    for task in range(tasks):
        rows = board_rows(make(EQUAL, rng), intervals=False, permutations=permutations, seed=task)
        separated += any((row["rank_low"], row["rank_high"]) != (1, 8) for row in rows)
        holds_equal += all(row["rank_low"] == 1 for row in rows)
        rows = board_rows(make(MIXED, rng), intervals=False, permutations=permutations, seed=task)
        # 1 + the number of truly better ones: 1 for the first four, 5 for the others.
        true = {str(at): 1 if at < 4 else 5 for at in range(8)}
        holds_mixed += all(
            row["rank_low"] <= true[row["submission"]] <= row["rank_high"] for row in rows
        )
    return Simulated(separated / tasks, holds_equal / tasks, holds_mixed / tasks)


if __name__ == "__main__":
    print(simulate(tasks=1000, seed=1))

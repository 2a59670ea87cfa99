"""Boards of shared tasks whose truth is known: are equal submissions told apart too often?

`python -m tests.simulate.shared_tasks` prints the shares over 1,000 tasks of each kind, and over
400 of each kind of board over systems.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.stats.shared_tasks.board import JudgedTexts, Ratios, board_rows, freeze_placed
from scoring.stats.shared_tasks.measures import (
    OVER_SYSTEMS,
    Settings,
    SubmittedValues,
    measured,
)

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


# Boards over systems: one text of each of 8 systems, .3 apart in quality, for each original.
SYSTEMS, SUBMISSIONS = 8, 6
QUALITY = 0.3 * (np.arange(SYSTEMS) - (SYSTEMS - 1) / 2)


def wrong_about_systems(measure):
    """(M, S) how wrong each submission is about each system: as wrong as the others, and about
    other systems, so that the measure of the true means is the same for all."""
    if measure == "system_pearson":
        rng = np.random.default_rng(5)
        wrong = rng.normal(size=(SUBMISSIONS, SYSTEMS))
        wrong -= wrong.mean(axis=1, keepdims=True)
        wrong -= np.outer(wrong @ QUALITY, QUALITY) / (QUALITY @ QUALITY)
        return wrong * 0.8 * np.linalg.norm(QUALITY) / np.linalg.norm(wrong, axis=1, keepdims=True)
    wrong = np.zeros((SUBMISSIONS, SYSTEMS))
    for row, one in enumerate(wrong):  # Two pairs of neighbours change places.
        for place in (row % (SYSTEMS - 1), (row + 3) % (SYSTEMS - 1)):
            one[place : place + 2] += [0.3, -0.3]
    return wrong


def over_systems(measure, originals, wrong, seed):
    """The rows of a task whose submissions differ from its gold by noise and by `wrong`."""
    rng = np.random.default_rng([originals, seed])
    texts = (originals, SYSTEMS)
    quality = QUALITY + rng.normal(0, 0.6, (originals, 1)) + rng.normal(0, 0.7, texts)
    gold = quality + rng.normal(0, 0.5, texts)
    original = np.repeat(np.arange(originals), SYSTEMS)
    n = original.size
    judged = JudgedTexts(
        [str(at) for at in range(n)],
        original,
        ["o"] * n,
        original,
        gold.ravel(),
        np.zeros(n, dtype=np.int64),
        np.arange(n),
        gold.ravel(),
        [str(at) for at in range(SYSTEMS)],
        tuple((at, at % SYSTEMS) for at in range(n)),
    )
    frozen, place = freeze_placed(judged, public_share=0.0, seed=seed)
    submissions = {}
    for name, own in enumerate(wrong):
        scores = np.zeros(n)
        scores[place] = (quality + own + rng.normal(0, 1, texts)).ravel()
        submissions[str(name)] = SubmittedValues("score", scores)
    return measured(frozen, submissions, Settings(measure, permutations=1, seed=seed))


def separated_over_systems(measure, originals, tasks):
    """The share of tasks in which equal submissions are told apart."""
    wrong = wrong_about_systems(measure)
    boards = (over_systems(measure, originals, wrong, seed) for seed in range(tasks))
    return sum(any(row["letters"] != "a" for row in rows) for rows in boards) / tasks


def power_over_systems(measure, originals, tasks):
    """The share of pairs told apart where half of the submissions are wrong about systems."""
    wrong = np.zeros((SUBMISSIONS, SYSTEMS))
    wrong[SUBMISSIONS // 2 :] = np.tile([0.6, -0.6], SYSTEMS // 2)
    good, apart = {str(at) for at in range(SUBMISSIONS // 2)}, 0
    for seed in range(tasks):
        rows = over_systems(measure, originals, wrong, seed)
        for one in rows:
            for other in rows if one["submission"] in good else ():
                if other["submission"] not in good:
                    apart += not set(one["letters"]) & set(other["letters"])
    return apart / tasks / (SUBMISSIONS // 2) ** 2


if __name__ == "__main__":
    print(simulate(tasks=1000, seed=1))
    for measure in OVER_SYSTEMS:
        for originals in (15, 20, 46):
            level = separated_over_systems(measure, originals, 400)
            power = power_over_systems(measure, originals, 400)
            print(f"{measure}, {originals} originals: level {level:.3f}, power {power:.3f}")

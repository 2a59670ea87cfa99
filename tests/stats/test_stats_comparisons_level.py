"""How often the tests between two equally good metrics say that they differ (nominal level .05).

Originals are the clusters: human values and each metric's own errors share a part within an
original. The permutation by cluster must keep its level; Williams and McNemar, printed beside it,
do not. Standard error of a share near .05 in 2,000 runs: .005.
"""

from __future__ import annotations

import numpy as np
import pytest

from scoring.stats.comparisons import comparisons
from scoring.stats.table import FloatArray, IntArray

RUNS = 2000
PERMUTATIONS = 199
DEFAULT = ("permutation_p", "permutation_spearman_p", "permutation_accuracy_p")


def equal_metrics(
    rng: np.random.Generator, originals: int, each: int, share: float
) -> tuple[FloatArray, dict[str, FloatArray], IntArray]:
    """Human values and two metrics, human + error; `share` is the intraclass correlation of each
    of the three parts."""
    codes = np.repeat(np.arange(originals), each)

    def part() -> FloatArray:
        common = rng.normal(size=originals)[codes]
        return np.sqrt(share) * common + np.sqrt(1 - share) * rng.normal(size=codes.size)

    human = part()
    return human, {"a": human + part(), "b": human + part()}, codes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("originals", "each", "share", "williams"),
    [(30, 5, 0.39, (0.08, 0.16)), (30, 5, 0.59, (0.16, 0.26)), (12, 5, 0.75, (0.2, 0.35))],
)
def test_level_of_the_default_tests(
    originals: int, each: int, share: float, williams: tuple[float, float],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    rng = np.random.default_rng(2026)
    rejected: dict[str, int] = {}
    foretold = 0.0
    for _run in range(RUNS):
        human, metrics, codes = equal_metrics(rng, originals, each, share)
        (found,) = comparisons(human, metrics, codes, permutations=PERMUTATIONS)
        for name, test in found.tests.items():
            assert test.p_value is not None
            rejected[name] = rejected.get(name, 0) + (test.p_value <= 0.05)
        assert found.clustering is not None and found.clustering.level is not None
        foretold += found.clustering.level / RUNS
    level = {name: count / RUNS for name, count in rejected.items()}
    with capsys.disabled():
        shown = ", ".join(f"{name} {value:.3f}" for name, value in sorted(level.items()))
        print(f"\n{originals} x {each}, ICC {share}: {shown}; foretold {foretold:.3f}")
    for name in DEFAULT:
        # With few originals the swap of accuracies takes few values, and is careful.
        least = 0.0 if name == "permutation_accuracy_p" else 0.035
        assert least <= level[name] <= 0.065, name
    # As the literature's tests come out on such data, and as the warning foretells.
    assert williams[0] <= level["williams_p"] <= williams[1]
    assert foretold == pytest.approx(level["williams_p"], abs=0.06)


@pytest.mark.slow
@pytest.mark.parametrize(("originals", "each"), [(250, 5), (60, 8)])
def test_level_of_mcnemar_over_pairs(
    originals: int, each: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """White's design: pairs of one original are far from independent even where units are."""
    rng = np.random.default_rng(2012)
    runs = 600
    level = np.zeros(2)
    for _run in range(runs):
        human, metrics, codes = equal_metrics(rng, originals, each, 0.0)
        (found,) = comparisons(human, metrics, codes, permutations=PERMUTATIONS)
        p_values = [found.tests[name].p_value for name in ("mcnemar_p", "permutation_accuracy_p")]
        level += np.array([p is not None and p <= 0.05 for p in p_values]) / runs
    with capsys.disabled():
        print(f"\n{originals} x {each}: McNemar {level[0]:.3f}, swap by original {level[1]:.3f}")
    assert level[0] > 0.08
    assert 0.03 <= level[1] <= 0.07

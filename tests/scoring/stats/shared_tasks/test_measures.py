from __future__ import annotations

import numpy as np
import pytest

from scoring.stats.evaluation.acc_eq import tie_accuracies
from scoring.stats.evaluation.correlation import coefficients
from scoring.stats.evaluation.system_level import system_level
from scoring.stats.shared_tasks.measures import OVER_SYSTEMS, Said, Settings, measured
from scoring.stats.systems.values import SystemTexts
from tests.scoring.stats.shared_tasks.made import make_frozen

FROZEN = make_frozen(public_share=0.0, systems=5)
RNG = np.random.default_rng(6)
NEAR = FROZEN.gold + 0.2 * RNG.normal(size=len(FROZEN.ids))
SAID = {
    "oracle": Said("score", FROZEN.gold),
    "near": Said("score", NEAR),
    "reverse": Said("score", -FROZEN.gold),
}


@pytest.mark.parametrize("measure", ["pairs", "acc_eq", "pearson", "spearman", *OVER_SYSTEMS])
def test_the_oracle_is_first_and_its_reverse_last(measure: str) -> None:
    rows = measured(FROZEN, SAID, Settings(measure, permutations=500, replicates=200))
    assert rows[-1]["submission"] == "reverse" and rows[-1]["rank_high"] == 3
    oracle = next(row for row in rows if row["submission"] == "oracle")
    assert oracle["value"] == pytest.approx(1) == rows[0]["value"]
    assert oracle["rank_low"] == 1


def test_the_values_are_those_of_the_correlation_pages() -> None:
    def value(measure: str) -> float | None:
        rows = measured(FROZEN, SAID, Settings(measure, permutations=10, replicates=0))
        return next(row["value"] for row in rows if row["submission"] == "near")

    gold, clusters = FROZEN.gold, FROZEN.original
    tied = tie_accuracies(gold, {"near": NEAR}, clusters)["near"]["acc_eq_calibrated"]
    assert value("acc_eq") == pytest.approx(tied.value)
    plain = coefficients(gold, {"near": NEAR}, clusters)["near"]
    assert value("pearson") == pytest.approx(plain["pearson"].value)
    assert value("spearman") == pytest.approx(plain["spearman"].value)
    systems = SystemTexts(*FROZEN.made, tuple(FROZEN.systems))
    level = system_level(gold, {"near": NEAR}, systems, clusters)["near"].found
    assert value("system_pearson") == pytest.approx(level["pearson"].value)
    assert value("pairwise_accuracy") == pytest.approx(level["pairwise_accuracy"].value)
    soft = level["soft_pairwise_accuracy"].value
    # Its permutations draw originals in another order.
    assert value("soft_pairwise_accuracy") == pytest.approx(soft, abs=0.02)


def test_an_empty_part_or_board_has_no_rows() -> None:
    assert measured(FROZEN, SAID, Settings(part="public")) == []
    assert measured(FROZEN, {}, Settings()) == []

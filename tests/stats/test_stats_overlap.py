"""K annotators of N per unit: the normal crowd design, where pairing by position goes wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats import Bootstrap, RatingTable, agreement_statistics, counts, reml
from scoring.stats.counts import Patterns
from scoring.stats.reliability import iccs
from scoring.stats.report import OF_COUNTS
from scoring.stats.resampling import Draws, count_replicates

FIVE = np.arange(1.0, 6.0)
COEFFICIENTS = (
    "percent_agreement", "within_one", "cohen_kappa", "cohen_kappa_linear",
    "cohen_kappa_quadratic", "fleiss_kappa", "alpha_nominal", "alpha_ordinal", "alpha_interval",
    "gwet_ac1", "gwet_ac2", "icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k",
)  # fmt: skip


def rotating(rng: np.random.Generator, annotators: int, slip: float) -> RatingTable:
    """300 units on 1-5, three of `annotators` each; a share `slip` of the ratings is off by one."""
    truth = rng.integers(1, 6, size=300)
    matrix = np.repeat(truth[:, None], annotators, axis=1).astype(float)
    moved = np.clip(matrix + rng.choice([-1, 1], size=matrix.shape), 1, 5)
    matrix = np.where(rng.random(matrix.shape) < slip, moved, matrix)
    for row in matrix:
        row[rng.permutation(annotators)[3:]] = np.nan
    return RatingTable.from_dense(matrix)


@pytest.mark.parametrize("annotators", [3, 4, 6])
def test_identical_annotators_agree_perfectly(annotators: int) -> None:
    found = agreement_statistics(rotating(np.random.default_rng(7), annotators, 0), FIVE)
    got = {name: found[name].value for name in COEFFICIENTS}
    assert got == pytest.approx(dict.fromkeys(COEFFICIENTS, 1.0), abs=1e-9)
    if annotators > 3:
        assert "0 of the units were rated by all" in found["kendall_w"].reason
    assert all(pair["n"] > 0 for pair in found["cohen_kappa"].details["pairs"])


def test_a_third_off_by_one_stays_near_88() -> None:
    found = agreement_statistics(rotating(np.random.default_rng(7), 6, 0.3), FIVE)
    for name in ("cohen_kappa_quadratic", "alpha_interval", "icc_2_1", "icc_3_1"):
        assert found[name].value == pytest.approx(0.88, abs=0.03), name


def test_identical_but_for_severity() -> None:
    """Consistency is perfect, absolute agreement is not: rating = unit + annotator exactly."""
    rng = np.random.default_rng(1)
    matrix = rng.integers(1, 6, size=(60, 1)) + np.array([0.0, 1.0, 2.0, 3.0])
    for row in matrix:
        row[rng.permutation(4)[2:]] = np.nan
    found = iccs(RatingTable.from_dense(matrix))
    assert found["icc_3_1"].value == pytest.approx(1)
    assert found["icc_2_1"].value is not None and 0.3 < found["icc_2_1"].value < 0.8


# 40 units, 3 of 6 annotators; expected components by statsmodels 0.15.0 MixedLM (REML, crossed
# variance components of unit and annotator; and one-way).
STATSMODELS = (
    ".4..55.2.34..21.3..11..1.333...12..13..23.3.3.5.3.4..32..2.1.3..4112..4..3.4.43...531..1.2."
    ".121..33..3.45.5..33..2.1.2.3..45.4.22.4.33.5...33..3..2.433..35.2..34.11.3...223....233..."
    "334..22..132..3.21.3...2.45.3.3.4...33.3..554.2..12.4.4.5."
)


def test_incomplete_components_equal_statsmodels() -> None:
    cells = [float("nan") if cell == "." else float(cell) for cell in STATSMODELS]
    table = RatingTable.from_dense(np.array(cells).reshape(40, 6))
    crossed = reml.two_way(table)
    assert crossed.unit == pytest.approx(0.7567436628, abs=1e-5)
    assert crossed.annotator == pytest.approx(0.2882260478, abs=1e-5)
    assert crossed.residual == pytest.approx(0.3956246611, abs=1e-5)
    one_way = reml.one_way(table)
    assert one_way.unit == pytest.approx(0.7435184803, abs=1e-5)
    assert one_way.residual == pytest.approx(0.6916666784, abs=1e-5)
    assert iccs(table)["icc_2_1"].value == pytest.approx(0.5252996108, abs=1e-5)


def test_reml_equals_anova_on_complete_data() -> None:
    # Shrout and Fleiss 1979; R lme4 1.1.31: item 2.5556, rater 5.2444, residual 1.0194.
    matrix = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    parts = reml.two_way(RatingTable.from_dense(matrix))
    assert (parts.unit, parts.annotator, parts.residual) == pytest.approx(
        (2.55555555, 5.24444444, 1.01944444), abs=1e-5
    )


def test_average_of_k_uses_the_ratings_collected() -> None:
    """Pitfall 7: k is the ratings of a unit, not the number of annotators."""
    found = iccs(rotating(np.random.default_rng(7), 6, 0.3))
    single, average = found["icc_2_1"].value, found["icc_2_k"].value
    assert single is not None
    assert average == pytest.approx(3 * single / (1 + 2 * single))


matrices = st.integers(2, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.one_of(st.none(), st.integers(1, 5)), min_size=width, max_size=width),
        min_size=2,
        max_size=12,
    )
)


def dense(rows: list[list[int | None]]) -> np.ndarray:
    return np.array([[np.nan if v is None else v for v in row] for row in rows], dtype=float)


def values(matrix: np.ndarray, levels: np.ndarray = FIVE) -> dict[str, float | None]:
    found = agreement_statistics(RatingTable.from_dense(matrix), levels)
    return {name: estimate.value for name, estimate in found.items()}


def close(a: dict[str, float | None], b: dict[str, float | None]) -> bool:
    return all(
        (a[name] is None) == (b[name] is None) and a[name] == pytest.approx(b[name], abs=2e-5)
        for name in a
    )


@settings(max_examples=60, deadline=None)
@given(matrices, st.randoms(use_true_random=False))
def test_names_and_order_change_nothing(rows: list[list[int | None]], random: object) -> None:
    matrix = dense(rows)
    rng = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]
    shuffled = matrix[rng.permutation(matrix.shape[0])][:, rng.permutation(matrix.shape[1])]
    assert close(values(matrix), values(shuffled))


@settings(max_examples=60, deadline=None)
@given(matrices)
def test_no_coefficient_exceeds_one(rows: list[list[int | None]]) -> None:
    for name, value in values(dense(rows)).items():
        assert value is None or value <= 1 + 1e-9, name


@settings(max_examples=60, deadline=None)
@given(matrices, st.permutations([1.0, 2.0, 3.0, 4.0, 5.0]))
def test_relabelling_leaves_nominal_statistics(
    rows: list[list[int | None]], order: list[float]
) -> None:
    matrix = dense(rows)
    other = np.where(
        np.isnan(matrix), np.nan, np.array(order)[np.nan_to_num(matrix, nan=1).astype(int) - 1]
    )
    names = ("percent_agreement", "cohen_kappa", "fleiss_kappa", "alpha_nominal", "gwet_ac1")
    before, after = values(matrix), values(other)
    assert close({n: before[n] for n in names}, {n: after[n] for n in names})


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 5), min_size=3, max_size=15).filter(lambda x: len(set(x)) > 1))
def test_perfect_agreement_is_one(truth: list[int]) -> None:
    found = values(np.repeat(np.array(truth, dtype=float)[:, None], 3, axis=1))
    assert found == pytest.approx(dict.fromkeys(found, 1.0), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(matrices, st.sampled_from([0.25, 20.0, 1e6]), st.sampled_from([-1e5, 0.0, 3.0]))
def test_interval_statistics_ignore_shift_and_step(
    rows: list[list[int | None]], step: float, shift: float
) -> None:
    matrix = dense(rows)
    names = ("cohen_kappa_quadratic", "cohen_kappa_linear", "alpha_interval", "gwet_ac2", "icc_1_1")
    before, after = values(matrix), values(matrix * step + shift, FIVE * step + shift)
    assert close({n: before[n] for n in names}, {n: after[n] for n in names})


def test_patterns_count_equal_units_once() -> None:
    table = RatingTable.from_dense([[1, 2], [2, 1], [3, 3], [np.nan, 5], [1, 2]])
    patterns = Patterns.of(table, FIVE)
    assert sorted(patterns.weight.tolist()) == [1, 1, 3]
    assert patterns.of_unit.size == 5


def test_intervals_are_seeded_and_hold_the_value() -> None:
    table = rotating(np.random.default_rng(3), 5, 0.4)
    first = agreement_statistics(table, FIVE, plan=Bootstrap(40, 5))
    again = agreement_statistics(table, FIVE, plan=Bootstrap(40, 5))
    assert first == again
    for name in COEFFICIENTS:
        found = first[name]
        assert found.ci_low is not None and found.ci_high is not None and found.value is not None
        assert found.ci_low < found.value < found.ci_high, name
        assert found.generalises_to == "new units" and found.seed == 5
    clusters = np.arange(300) // 5
    drawn = agreement_statistics(table, FIVE, plan=Bootstrap(40, 5), clusters=clusters)
    assert drawn["alpha_ordinal"].generalises_to == "new clusters"


def test_copies_of_a_cluster_do_not_narrow_the_interval() -> None:
    """Each unit four times: drawing units believes in four times the data, clusters do not."""
    table = rotating(np.random.default_rng(2), 4, 0.5)
    copies = np.repeat(np.arange(60), 4)
    patterns = Patterns.of(table.take_units(copies), FIVE)
    plan = Bootstrap(1000, 1)
    units = Draws(np.arange(240), plan)
    clusters = Draws(copies, plan, clustered=True)
    by_unit = count_replicates(patterns, {"p": counts.percent_agreement}, units)["p"]
    by_cluster = count_replicates(patterns, {"p": counts.percent_agreement}, clusters)["p"]
    assert by_cluster.std() == pytest.approx(2 * by_unit.std(), rel=0.1)


def test_weights_mean_the_same_as_drawn_units() -> None:
    """A statistic at bootstrap weights equals the statistic of the table of the drawn units."""
    table = rotating(np.random.default_rng(5), 5, 0.6)
    patterns = Patterns.of(table, FIVE)
    drawn = np.random.default_rng(6).integers(300, size=300)
    weights = np.bincount(patterns.of_unit[drawn], minlength=patterns.weight.size)
    again = agreement_statistics(table.take_units(drawn), FIVE)
    for name, statistic in OF_COUNTS.items():
        value = statistic(patterns, weights[None, :].astype(float))[0]
        assert value == pytest.approx(again[name].value, abs=1e-12), name


def test_one_cluster_gives_no_interval() -> None:
    table = rotating(np.random.default_rng(3), 5, 0.4)
    found = agreement_statistics(
        table, FIVE, plan=Bootstrap(20, 1), clusters=np.zeros(300, dtype=np.int64)
    )["alpha_ordinal"]
    assert found.ci_low is None and "fewer than 5 clusters" in found.options["no_interval"]

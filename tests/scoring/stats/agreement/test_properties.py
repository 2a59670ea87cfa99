"""What every coefficient of agreement keeps to, whatever the ratings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats import RatingTable, agreement_statistics
from tests.scoring.stats.agreement.small import FIVE
from tests.simulate import examples

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


@settings(max_examples=examples(60))
@given(matrices, st.randoms(use_true_random=False))
def test_names_and_order_change_nothing(rows: list[list[int | None]], random: object) -> None:
    matrix = dense(rows)
    rng = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]
    shuffled = matrix[rng.permutation(matrix.shape[0])][:, rng.permutation(matrix.shape[1])]
    assert close(values(matrix), values(shuffled))


@settings(max_examples=examples(60))
@given(matrices)
def test_no_coefficient_exceeds_one(rows: list[list[int | None]]) -> None:
    for name, value in values(dense(rows)).items():
        assert value is None or value <= 1 + 1e-9, name


@settings(max_examples=examples(60))
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


@settings(max_examples=examples(40))
@given(st.lists(st.integers(1, 5), min_size=3, max_size=15).filter(lambda x: len(set(x)) > 1))
def test_perfect_agreement_is_one(truth: list[int]) -> None:
    found = values(np.repeat(np.array(truth, dtype=float)[:, None], 3, axis=1))
    assert found == pytest.approx(dict.fromkeys(found, 1.0), abs=1e-9)


@settings(max_examples=examples(40))
@given(matrices, st.sampled_from([0.25, 20.0, 1e6]), st.sampled_from([-1e5, 0.0, 3.0]))
def test_interval_statistics_ignore_shift_and_step(
    rows: list[list[int | None]], step: float, shift: float
) -> None:
    matrix = dense(rows)
    names = ("cohen_kappa_quadratic", "cohen_kappa_linear", "alpha_interval", "gwet_ac2", "icc_1_1")
    before, after = values(matrix), values(matrix * step + shift, FIVE * step + shift)
    assert close({n: before[n] for n in names}, {n: after[n] for n in names})

"""Agreement on each value by itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats import Bootstrap, RatingTable
from scoring.stats.agreement.catalogue import specific_agreement
from scoring.stats.agreement.families import ScaleData
from tests.scoring.stats.agreement.cases import rated

NA = float("nan")


def of(matrix, levels, **more):
    data = ScaleData(RatingTable.from_dense(matrix), np.array(levels))
    return specific_agreement(data, **more)


def test_fleiss_diagnoses():
    """Fleiss 1971, the kappa of each diagnosis: (agreement on it - its share) / (1 - its share)."""
    table = rated("fleiss_1971_diagnoses")
    found = of(table.dense(), [1, 2, 3, 4, 5]).values()
    share = np.bincount(table.value.astype(int))[1:] / table.n_ratings
    kappa = (np.array([one.value for one in found]) - share) / (1 - share)
    assert kappa.round(3).tolist() == [0.245, 0.245, 0.520, 0.471, 0.566]


@given(
    a=st.integers(0, 9),
    b=st.integers(0, 9),
    c=st.integers(0, 9),
    d=st.integers(0, 9),
    alone=st.integers(0, 3),
)
def test_two_annotators_have_positive_and_negative_agreement(a, b, c, d, alone):
    """2a / (2a + b + c) and 2d / (2d + b + c), Cicchetti and Feinstein 1990."""
    rows = [[1, 1]] * a + [[1, 0]] * b + [[0, 1]] * c + [[0, 0]] * d + [[1, NA]] * alone
    found = of(np.array(rows or [[NA, NA]], dtype=float), [0, 1])
    for name, both in (("1", a), ("0", d)):
        one = found[name]
        if both + b + c == 0:
            assert one.value is None and "undefined" in one.reason
        else:
            assert one.value == pytest.approx(2 * both / (2 * both + b + c))
            assert one.n == both + b + c


def test_intervals_draw_what_coefficients_draw():
    rng = np.random.default_rng(2)
    rows = (rng.random((60, 1)) < 0.5) ^ (rng.random((60, 3)) < 0.2)
    by_unit, by_cluster, few = (
        of(rows, [0, 1], plan=Bootstrap(200, 1), clusters=clusters)["1"]
        for clusters in (None, np.arange(60) // 6, np.arange(60) // 30)
    )
    for one, means in ((by_unit, "new units"), (by_cluster, "new clusters")):
        assert one.ci_low < one.value < one.ci_high and one.generalises_to == means
    assert few.ci_low is None and few.options["no_interval"]


def test_a_scale_of_very_many_values_has_none():
    assert of([[1.0, 2.0]], list(np.arange(100.0))) == {}

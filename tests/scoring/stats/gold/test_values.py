"""One shape for gold by any method: value, n, spread, interval or confidence, source, reason."""

import numpy as np
import pytest

from scoring.stats.gold.methods import mean_gold
from scoring.stats.gold.values import ADJUDICATED, IMPORTED, NO_RATING, put_over
from tests.scoring.stats.gold.small import NA, of


def test_adjudicated_first_then_imported_where_nothing_else_is():
    base = mean_gold(of([[1, 3], [5, 4], [NA, NA], [NA, NA]]))
    judged = put_over(base, np.array([NA, 2, NA, NA]), source=ADJUDICATED)
    found = put_over(
        judged,
        np.array([9, 9, 3.5, NA]),
        source=IMPORTED,
        only_missing=True,
        n=np.array([7, 7, 7, 0]),
        spread=np.array([1.0, 1, 0.5, NA]),
    ).rows()
    assert [(r.value, r.n, r.source) for r in found] == [
        (2, 2, "judged"),
        (2, 0, "adjudicated"),
        (3.5, 7, "imported"),
        (None, 0, "judged"),
    ]
    assert found[0].low is not None and found[1].low is None and found[2].spread == 0.5
    assert [r.reason for r in found] == ["", "", "", NO_RATING]
    with pytest.raises(ValueError, match="2 values were given for 4 units"):
        put_over(base, np.zeros(2), source=IMPORTED)

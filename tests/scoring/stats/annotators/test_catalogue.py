"""Every number about an annotator, once: its name, what pages call it and say of it."""

from typing import get_args

import numpy as np

from scoring.stats.annotators.catalogue import CATALOGUE, AnnotatorColumn, Source, keys_of
from tests.scoring.stats.panels import NA


def test_every_number_is_made_of_one_source():
    by_source = [key for source in get_args(Source) for key in keys_of(source)]
    assert sorted(by_source) == sorted(one.key for one in CATALOGUE)
    assert "too_fast" in keys_of("pace") and "severity" in keys_of("ratings")


# One statistic of every annotator as arrays, and as the estimates that leave the package.


def test_values_with_and_without_an_interval_and_undefined_ones():
    column = AnnotatorColumn(
        value=np.array([0.5, 0.25, NA]),
        low=np.array([0.25, NA, NA]),
        high=np.array([0.75, NA, NA]),
        n=np.array([10, 3, 0]),
        why=["", "", "no rating"],
        method="by hand",
        generalises_to="new units",
        no_interval=["", "too few", ""],
        details={"spread": np.array([1.5, NA, NA])},
    )
    whole, bare, none = column.estimates()
    assert (whole.value, whole.ci_low, whole.ci_high, whole.n) == (0.5, 0.25, 0.75, 10)
    assert (whole.generalises_to, whole.details) == ("new units", {"spread": 1.5})
    assert (bare.value, bare.ci_low, bare.generalises_to) == (0.25, None, None)
    assert (bare.options, bare.details) == ({"no_interval": "too few"}, {"spread": None})
    assert (none.value, none.reason, none.details) == (None, "no rating", {"spread": None})

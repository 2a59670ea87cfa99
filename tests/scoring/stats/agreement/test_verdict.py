"""Can these judgments be trusted? One verdict per scale, from intervals rather than values."""

from dataclasses import replace

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from scoring.stats import Bootstrap, Estimate, RatingTable, agreement_report, agreement_statistics
from scoring.stats.agreement.coefficients import estimates_of
from scoring.stats.agreement.influence import answer, band, disputed, icc_form, left_out
from tests.scoring.stats.agreement.small import FIVE, NA, statistics

PLAN = Bootstrap(100, 1)
SMALL = [[1, 2, 1], [4, 5, 5], [3, 3, 3], [2, 2, 1]]
FOUND = statistics(SMALL)


@pytest.mark.parametrize(
    ("interval", "verdict"),
    [
        ((0.80, 0.95, "new units"), "yes"),
        ((0.667, 0.95, "new units"), "tentative"),
        ((0.60, 0.90, "new units"), "unsure"),
        ((0.30, 0.66, "new units"), "no"),
        ((), "no interval"),
    ],
)
def test_the_interval_decides_and_not_the_value(interval, verdict):
    alpha = Estimate(0.7, *interval, n=40)
    said = answer({**FOUND, "alpha_ordinal": alpha}, "ordinal", 40)
    assert (said["verdict"], said["coefficient"], said["few"]) == (verdict, "alpha_ordinal", None)


def test_nothing_varies_and_few_units():
    said = answer(statistics([[4, 4]] * 3), "ordinal", 3)
    assert (said["verdict"], said["few"], said["bands"]) == ("undefined", 3, None)
    # Texts that are all alike have no verdict, but not for their agreement.
    report = agreement_report({"S": RatingTable.from_dense([[2, 4]] * 8)}, plan=PLAN)
    said = report["scales"]["S"]["answer"]
    assert (said["verdict"], said["agreed"]) == ("no width", None)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "numeric"])
@pytest.mark.parametrize("units", [5, 200])
def test_annotators_who_agree_throughout_get_no_yes(level, units):
    """Of n texts all agree: the exact limit of new texts that do is .025 ** (1 / n), Clopper and
    Pearson 1934."""
    rows = np.tile(np.arange(1.0, 6)[:, None], (units // 5, 2))
    report = agreement_report({"S": RatingTable.from_dense(rows)}, kinds={"S": level}, plan=PLAN)
    block = report["scales"]["S"]
    said = block["answer"]
    assert (said["verdict"], said["bands"]) == ("all agree", None)
    low, _ = proportion_confint(units, units, method="beta")
    assert said["agreed"] == pytest.approx(low)
    for name, one in estimates_of(block).items():
        assert one["ci_low"] is None or one["ci_low"] < one["ci_high"], name


def test_bands_of_koo_and_li():
    """A value below a limit is in the lower band."""
    assert [band(one) for one in (0.499, 0.5, 0.749, 0.75, 0.899, 0.9)] == [
        "poor",
        *["moderate"] * 2,
        *["good"] * 2,
        "excellent",
    ]


def test_the_form_follows_the_design():
    assert icc_form(FOUND) == ("icc_2_k", "crossed")
    voices = agreement_statistics(replace(RatingTable.from_dense(SMALL), anonymous=True), FIVE)
    assert icc_form(voices) == ("icc_1_k", "anonymous")
    apart = statistics([[1, 2, NA, NA], [4, 4, NA, NA], [NA, NA, 2, 3], [NA, NA, 5, 5]])
    assert icc_form(apart) == ("icc_1_k", "not crossed")


def test_the_most_disputed_units_come_first():
    table = RatingTable.from_dense([[3, 3, 3], [1, 5, NA], [2, 3, NA], [4, NA, NA]])
    rows = disputed(table, "ordinal")
    assert rows == [
        {"unit": 1, "n": 2, "values": [1, 5], "spread": pytest.approx(8**0.5)},
        {"unit": 2, "n": 2, "values": [2, 3], "spread": pytest.approx(0.5**0.5)},
    ]
    assert [row["spread"] for row in disputed(table, "nominal")] == [1, 1]
    assert len(disputed(table, "ordinal", most=1)) == 1


def test_units_that_some_statistics_cannot_use():
    table = RatingTable.from_dense([[3, 3, 3], [1, 5, NA], [4, NA, NA], [NA, NA, NA]])
    assert left_out(table) == {"one_rating": 1, "incomplete": 2, "fewest": 1, "most": 3}

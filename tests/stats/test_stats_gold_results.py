"""Gold, pass and the table of results per system."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats import RatingTable, SystemTexts, Threshold, pass_table, results
from scoring.stats.gold import combine, gold

NA = float("nan")


def table(matrix: object, **extra: object) -> RatingTable:
    base = RatingTable.from_dense(matrix)
    return RatingTable(
        base.unit, base.annotator, base.value, base.n_units, base.n_annotators, **extra
    )


MEANING = [[5, 4, NA], [2, 3, 3], [NA, NA, NA], [4, NA, NA]]
GRAMMAR = [[4, 3, 5], [1, NA, 5], [NA, NA, NA], [4, NA, NA]]


def test_gold_mean_median_n_and_spread() -> None:
    found = gold(table([[1, 2, 6], [4, NA, 5], [NA, 3, NA], [NA, NA, NA]]))
    assert found.rows("mean") == [
        (3.0, 3, pytest.approx(np.sqrt(7))),
        (4.5, 2, pytest.approx(np.sqrt(0.5))),
        (3.0, 1, None),
        (None, 0, None),
    ]
    assert [row[0] for row in found.rows("median")] == [2.0, 4.5, 3.0, None]
    with pytest.raises(ValueError, match="mean or a median"):
        found.rows("mode")  # type: ignore[arg-type]


@given(
    st.lists(
        st.lists(st.one_of(st.none(), st.integers(-5, 100)), min_size=4, max_size=4),
        min_size=1,
        max_size=8,
    )
)
def test_gold_equals_numpy(rows: list[list[int | None]]) -> None:
    matrix = np.array([[NA if v is None else v for v in row] for row in rows], dtype=float)
    found = gold(RatingTable.from_dense(matrix))
    for row, n, mean, median, spread in zip(
        matrix, found.n, found.mean, found.median, found.spread, strict=True
    ):
        present = row[~np.isnan(row)]
        assert n == present.size
        assert np.isnan(mean) if n == 0 else mean == pytest.approx(present.mean())
        assert np.isnan(median) if n == 0 else median == pytest.approx(np.median(present))
        assert np.isnan(spread) if n < 2 else spread == pytest.approx(present.std(ddof=1))


def test_combination_is_made_within_one_annotator() -> None:
    # White's adequacy + fluency: an annotator who left one scale out has no combined value.
    total = combine([table(MEANING), table(GRAMMAR)], "sum")
    np.testing.assert_array_equal(
        total.dense(), [[9, 7, NA], [3, NA, 8], [NA, NA, NA], [8, NA, NA]]
    )
    assert gold(total).rows("mean")[1] == (5.5, 2, pytest.approx(np.sqrt(12.5)))
    assert combine([table(MEANING), table(GRAMMAR)], "mean").value[0] == 4.5
    with pytest.raises(ValueError, match="share their unit"):
        combine([table(MEANING), table([[1, 2]])])


def test_pass_is_judged_on_one_annotators_values() -> None:
    limits = {"M": Threshold(3), "G": Threshold(4)}
    both = pass_table({"M": table(MEANING), "G": table(GRAMMAR)}, limits)
    # Unit 1: annotator 0 fails both; annotator 2 has 3 and 5. No mix of two annotators passes.
    np.testing.assert_array_equal(both.dense(), [[1, 0, NA], [0, NA, 1], [NA, NA, NA], [1, NA, NA]])
    cost = pass_table({"EDITS": table([[1, 3]])}, {"EDITS": Threshold(2, higher_is_better=False)})
    assert cost.value.tolist() == [1, 0]
    with pytest.raises(ValueError, match="no ratings on the scale X"):
        pass_table({"M": table(MEANING)}, {"X": Threshold(1)})


def example(unit: str = "judgment") -> dict:
    """Units 0 and 1 are texts of item 0, 2 of item 1, 3 of item 2 (phrase 1), 4 a control.

    Systems: A made 0, 2 and 3; B made 0 (the same text as A) and 1.
    """
    item, phrase = np.array([0, 0, 1, 2, 0]), np.array([0, 0, 2, 1, 0])
    extra = {"item": item, "phrase": phrase}
    return results(
        {"M": table([*MEANING, [1, 1, 1]], **extra), "G": table([*GRAMMAR, [1, 1, 1]], **extra)},
        SystemTexts(np.array([0, 2, 3, 0, 1, 0]), np.array([0, 0, 0, 1, 1, 0]), ("A", "B", "C")),
        {"M": Threshold(3), "G": Threshold(4)},
        unit=unit,  # type: ignore[arg-type]
        levels={"M": np.arange(1.0, 6.0)},
    )


def test_results_by_judgment() -> None:
    found = example()
    a, b, c = (found["systems"][name] for name in "ABC")
    # A: annotators 0, 1 and (grammar only) 2 on unit 0, annotator 0 on unit 3.
    assert (a["n"], a["coverage"]) == (4, 1.0)
    meaning = a["scales"]["M"]
    assert (meaning["n"], meaning["pass"], meaning["mean"]) == (3, 1.0, pytest.approx(13 / 3))
    assert meaning["distribution"] == pytest.approx(
        {"1": 0, "2": 0, "3": 0, "4": 2 / 3, "5": 1 / 3}
    )
    assert a["scales"]["G"]["n"] == 4 and a["scales"]["G"]["pass"] == 0.75
    assert a["pass_all"] == pytest.approx(2 / 3)
    # B: the shared text counts for B too, plus three judgments of unit 1.
    assert (b["n"], b["coverage"]) == (6, pytest.approx(1 / 3))
    assert b["scales"]["M"]["pass"] == pytest.approx(4 / 5)
    assert b["pass_all"] == pytest.approx(2 / 4)
    assert (c["n"], c["coverage"], c["pass_all"], c["scales"]["M"]["pass"]) == (0, 0, None, None)
    # The control text is no result; phrase 2 has no judgment.
    assert {k: found[k] for k in ("phrases", "phrases_excluded", "contexts", "judgments")} == {
        "phrases": 2, "phrases_excluded": 1, "contexts": 2, "judgments": 7,
    }  # fmt: skip
    assert (found["unit"], found["thresholds"]) == ("judgment", {"M": 3, "G": 4})


def test_results_by_gold() -> None:
    found = example("gold")
    a, b = found["systems"]["A"], found["systems"]["B"]
    assert (a["n"], b["n"], found["judgments"]) == (2, 2, 3)
    assert a["scales"]["M"]["distribution"]["4.5"] == 0.5
    assert a["pass_all"] == 1.0
    assert b["scales"]["M"]["pass"] == 0.5


def test_results_of_the_guides_sample() -> None:
    """Callison-Burch 2008, step 6: 12 judged texts of EUROPEAN COUNTRIES, thresholds 3 and 4."""
    meaning = [2, 5, 3, 3, 3, 5, 5, 5, 3, 1, 5, 5]
    grammar = [2, 4, 5, 5, 4, 5, 5, 5, 5, 1, 5, 5]
    column = np.arange(12)
    found = results(
        {"MEANING": table(np.c_[meaning]), "GRAMMAR": table(np.c_[grammar])},
        SystemTexts(column, np.zeros(12, dtype=int), ("0",)),
        {"MEANING": Threshold(3), "GRAMMAR": Threshold(4)},
    )["systems"]["0"]
    assert found["scales"]["MEANING"]["distribution"] == pytest.approx(
        {"1": 1 / 12, "2": 1 / 12, "3": 4 / 12, "5": 6 / 12}
    )
    assert found["pass_all"] == pytest.approx(10 / 12)
    assert sum(found["scales"]["GRAMMAR"]["distribution"].values()) == pytest.approx(1)


def test_results_refuse_what_they_cannot_answer() -> None:
    texts = SystemTexts(np.array([0]), np.array([0]), ("A",))
    with pytest.raises(ValueError, match="no ratings on the scale X"):
        results({"M": table([[1, 2]])}, texts, {"X": Threshold(1)})
    with pytest.raises(ValueError, match="judgment or gold"):
        results({"M": table([[1, 2]])}, texts, unit="item")  # type: ignore[arg-type]
    empty = results({"M": table([[NA, NA]])}, texts)
    assert empty["systems"]["A"]["n"] == 0 and empty["judgments"] == 0

"""Gold, pass decisions and the table of results per system."""

import json

import numpy as np
import pytest

from scoring.stats import Bootstrap, SystemTexts, Threshold, results
from tests.scoring.stats.systems.small import GRAMMAR, MEANING, NA, table


def example(unit="judgment"):
    """Units 0 and 1 are texts of item 0, 2 of item 1, 3 of item 2 (phrase 1), 4 a control.

    Systems: A made 0, 2 and 3; B made 0 (the same text as A) and 1.
    """
    item, phrase = np.array([0, 0, 1, 2, 0]), np.array([0, 0, 2, 1, 0])
    extra = {"item": item, "phrase": phrase}
    return results(
        {"M": table([*MEANING, [1, 1, 1]], **extra), "G": table([*GRAMMAR, [1, 1, 1]], **extra)},
        SystemTexts(np.array([0, 2, 3, 0, 1, 0]), np.array([0, 0, 0, 1, 1, 0]), ("A", "B", "C")),
        {"M": Threshold(3), "G": Threshold(4)},
        unit=unit,
        levels={"M": np.arange(1.0, 6.0)},
    )


def test_results_by_judgment():
    found = example()
    a, b, c = (found["systems"][name] for name in "ABC")
    # A: annotators 0, 1 and (grammar only) 2 on unit 0, annotator 0 on unit 3.
    assert (a["n"], a["coverage"]) == (4, 1.0)
    meaning = a["scales"]["M"]
    assert (meaning["n"], meaning["pass"], meaning["mean"]) == (3, 1.0, pytest.approx(13 / 3))
    shares = dict(zip("12345", [0, 0, 0, 2 / 3, 1 / 3], strict=True))
    assert meaning["distribution"] == pytest.approx(shares)
    assert a["scales"]["G"]["n"] == 4 and a["scales"]["G"]["pass"] == 0.75
    assert a["pass_all"] == pytest.approx(2 / 3)
    # B: the shared text counts for B too, plus three judgments of unit 1.
    assert (b["n"], b["coverage"]) == (6, pytest.approx(1 / 3))
    assert b["scales"]["M"]["pass"] == pytest.approx(4 / 5)
    assert b["pass_all"] == pytest.approx(2 / 4)
    assert (c["n"], c["coverage"], c["pass_all"], c["scales"]["M"]["pass"]) == (0, 0, None, None)
    # The control text is no result; phrase 2 has no judgment.
    assert {k: found[k] for k in ("phrases", "phrases_excluded", "contexts", "judgments")} == {
        "phrases": 2,
        "phrases_excluded": 1,
        "contexts": 2,
        "judgments": 7,
    }
    assert (found["unit"], found["thresholds"]) == ("judgment", {"M": 3, "G": 4})


def test_results_by_gold():
    found = example("gold")
    a, b = found["systems"]["A"], found["systems"]["B"]
    assert (a["n"], b["n"], found["judgments"]) == (2, 2, 3)
    assert a["scales"]["M"]["distribution"]["4.5"] == 0.5
    assert a["pass_all"] == 1.0
    assert b["scales"]["M"]["pass"] == 0.5


def test_results_of_the_guides_sample():
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


def test_results_refuse_invalid_arguments():
    texts = SystemTexts(np.array([0]), np.array([0]), ("A",))
    with pytest.raises(ValueError, match="no ratings on the scale X"):
        results({"M": table([[1, 2]])}, texts, {"X": Threshold(1)})
    with pytest.raises(ValueError, match="judgment or gold"):
        results({"M": table([[1, 2]])}, texts, unit="item")
    empty = results({"M": table([[NA, NA]])}, texts)
    assert empty["systems"]["A"]["n"] == 0 and empty["judgments"] == 0


def test_values_out_of_range_have_no_mean_and_a_reason():
    rng = np.random.default_rng(1)
    ratings = table(rng.choice([1.0, 3, 1.6e308], (12, 3)), item=np.arange(12) // 2)
    systems = SystemTexts(np.arange(12), np.arange(12) % 2, ("A", "B"))
    found = results({"M": ratings}, systems, {"M": Threshold(3)}, plan=Bootstrap(50))
    json.dumps(found, allow_nan=False, default=str)
    one = found["systems"]["A"]
    assert one["scales"]["M"]["mean"] is None and one["pass_all"] is not None
    assert "out of range" in str(one["scales"]["M"]["mean_bootstrap"]["reason"])
    assert {row["outcome"] for row in found["pairs"]} == {"pass_all"}

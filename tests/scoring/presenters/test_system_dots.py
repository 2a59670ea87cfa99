"""Pictures of systems: the numbers of the report, in the order of merit, with groups and ranks."""

import copy

import pytest

from scoring.results.views import mean_of, outcome_pictures

pytestmark = pytest.mark.django_db  # Titles are translated by the language of the request.


def ends(value, width):
    return {"low": value - width, "high": value + width, "method": "", "reason": None}


def system(mean, share, distribution):
    return {
        "n": 10,
        "coverage": 1.0,
        "pass_all": share,
        "pass_all_interval": ends(share, 0.1),
        "pass_all_bootstrap": ends(share, 0.1) | {"low": None, "high": None},
        "scales": {
            "M": {
                "n": 10,
                "distribution": distribution,
                "mean": mean,
                "mean_bootstrap": ends(mean, 0.2),
                "pass": share,
            }
        },
    }


def pair(a, b, difference, p):
    return {
        "outcome": "mean",
        "scale": "M",
        "a": a,
        "b": b,
        "difference": difference,
        "interval": ends(difference, 0.1),
        "p_max_t": p,
        "p_holm": 1.0,
    }


REPORT = {
    "thresholds": {"M": 3.0},
    "alpha": 0.05,
    "systems": {
        "low": system(2.0, 0.2, {"1": 0.5, "2": 0.0, "3": 0.5}),
        "high": system(4.0, 0.9, {"1": 0.0, "10": 1.0}),
        "near": system(3.9, 0.8, {"1": 0.25, "2": 0.75}),
    },
    "clusters": [
        {
            "outcome": "mean",
            "scale": "M",
            "groups": [["near", "high"], ["low"]],
            "without": [],
            "letters": {"high": "a", "near": "a", "low": "b"},
            "ranks": {"high": [1, 2], "near": [1, 2], "low": [3, 3]},
        },
    ],
    "pairs": [pair("high", "near", 0.1, 0.4), pair("low", "near", -1.9, 0.001)],
}


def test_rows_are_in_order_with_rank_letters_rule_and_shares():
    means, passing = outcome_pictures(REPORT, {"M": True})
    assert [(row.dot.name, row.rank, row.letters, row.cut) for row in means.rows] == [
        ("high", "1–2", "a", False),
        ("near", "1–2", "a", True),
        ("low", "3", "b", False),
    ]
    assert (means.scale, passing.scale) == ("M", None)
    assert means.told_apart == "Pairs told apart: 2 of 3."
    # Shares are of all points in the order of numbers.
    assert means.points == ("1", "2", "3", "10")
    assert means.rows[0].shares == (0.0, 0.0, 0.0, 1.0)
    assert means.rows[2].shares == (0.5, 0.0, 0.5, 0.0)
    # A share without an interval by cluster has none: that of independent rows is in a fold.
    assert passing.rows[0].dot.ends == ""
    assert passing.neighbours is None and passing.told_apart.startswith("No test")
    few = outcome_pictures({**REPORT, "phrases": 5}, {"M": True})[1].told_apart
    assert few == "5 phrases cannot tell two systems apart at .05; 6 are needed."
    wide = copy.deepcopy(REPORT)
    for one in wide["systems"].values():
        one["scales"]["M"] |= {
            "mean_bootstrap": ends(3.0, 2.0),
            "distribution": {"1": 0.5, "5": 0.5},
        }
    axis = outcome_pictures(wide, {"M": True})[0].chart.axis
    assert (axis.low, axis.high) == (1, 5)  # Of the scale: nothing lies beyond.
    lower = outcome_pictures(REPORT, {"M": False})[0]  # Where lower is better.
    assert [row.dot.name for row in lower.rows] == ["low", "near", "high"]


@pytest.mark.parametrize(
    ("letters", "answer"),
    [
        (("a", "b", "b"), "high is best, and told apart from all others."),
        (("ab2", "ab2", "b"), "First: high. Not told apart from the first: near."),
        (("a", "a", "a"), "First: high. No test tells any other apart from the first."),
        (("", "", ""), ""),
        (("a", "a", "b"), "First, with equal values: high, near."),
    ],
)
def test_the_first_sentence_says_which_system_is_best(letters, answer):
    report = copy.deepcopy(REPORT)
    if "equal" in answer:
        report["systems"]["near"]["scales"]["M"]["mean"] = 4.0
    report["clusters"][0]["letters"] = dict(zip(("high", "near", "low"), letters, strict=True))
    assert outcome_pictures(report, {"M": True})[0].answer == answer


def test_neighbours_are_the_first_minus_the_second():
    chart = outcome_pictures(REPORT, {"M": True})[0].neighbours
    assert chart is not None
    first, second = chart.rows
    assert (first.name, first.shown, first.hollow) == ("high − near", "+0.10", True)
    # The report has low minus near.
    assert (second.shown, second.ends, second.hollow) == ("+1.90", "[+1.80, +2.00]", False)
    assert chart.axis.low <= 0 <= chart.axis.high


def test_reports_without_judgments_or_of_old_times_have_what_they_have():
    assert outcome_pictures({"systems": {}, "thresholds": {}}, {}) == []
    old = copy.deepcopy(REPORT)
    for one in old["systems"].values():
        del one["scales"]["M"]["mean"], one["scales"]["M"]["mean_bootstrap"]
    del old["clusters"], old["pairs"], old["alpha"]
    means = outcome_pictures(old, {})[0]
    assert means.rows[0].dot.value == 10 and means.rows[0].dot.ends == ""
    assert mean_of({"1": 0.5, "3": 0.5}) == 2.0 and mean_of({"1": 0.0}) is None

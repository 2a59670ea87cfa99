"""The tables of the correlation pages as rows."""

import pytest

from annotation.errors import NotFound
from scoring.correlation.figures import TABLES, table_get


def estimate(value):
    low, high = (None, None) if value is None else (value - 0.25, value + 0.25)
    return {"value": value, "ci_low": low, "ci_high": high, "n": 30}


PAIR = {"a": "bleu", "b": "ter", "difference": estimate(0.25)}


def table(name, human, **more):
    """The table of a report, which must be of the kind that the table is made from."""
    reports = {TABLES[name][0]: {"human": {"MEANING": human}, **more}}
    return table_get(name=name, report=reports.__getitem__)


def test_a_metric_without_a_number_has_the_columns_of_the_others():
    human = {
        "metrics": {"bleu": {"pearson": estimate(0.5)}, "ter": {"pearson": estimate(None)}},
        "further": {"bleu": {"acc_eq": estimate(0.75)}},
        "within_originals": {"bleu": {"pearson": estimate(0.25)}},
        "against_ceiling": {"bleu": {"pearson": {"disattenuated": estimate(1.0)}}},
    }
    runs = [{"label": "bleu"}, {"label": "ter"}]
    found = table("coefficients", human, runs=runs, roc={"bleu": {"area": estimate(0.9)}})
    first, second = found.rows
    assert set(first) == set(second) == set(found.columns)
    assert (first["pearson"], first["pearson_low"], first["pearson_high"]) == (0.5, 0.25, 0.75)
    assert (first["acc_eq"], first["within_pearson"]) == (0.75, 0.25)
    assert (first["pearson_without_noise"], first["roc_area"], first["n"]) == (1.0, 0.9, 30)
    assert [second[name] for name in ("metric", "pearson", "acc_eq", "roc_area")] == [
        "ter",
        None,
        None,
        None,
    ]


def test_differences_have_every_test_and_a_gap_for_those_not_made():
    one = {
        **PAIR,
        "holm_p": 0.03,
        "n": 30,
        "zou": {"low": 0.1, "high": 0.4},
        "clustering": {"icc": 0.2, "level": 0.07},
    }
    [row] = table("differences", {"comparisons": [one]}).rows
    assert (row["difference"], row["holm_p"], row["meng_p_independent"]) == (0.25, 0.03, None)
    assert (row["zou_low_independent"], row["zou_high_independent"]) == (0.1, 0.4)
    assert (row["clustering"], row["level_at_05"]) == (0.2, 0.07)
    assert row["difference_spearman"] is row["difference_spearman_low"] is None
    [row] = table("differences", {"comparisons": [{**PAIR, "n": 3}]}).rows
    assert row["zou_low_independent"] is row["clustering"] is row["level_at_05"] is None


def test_systems_have_a_row_by_means_and_one_by_corpus_scores():
    level = {"bleu": {"pearson": estimate(0.5), "systems": [{}, {}, {}]}}
    found = table("systems", {"systems": level, "corpus": level})
    assert [(row["scores"], row["pearson"], row["systems"]) for row in found.rows] == [
        ("mean", 0.5, 3),
        ("corpus", 0.5, 3),
    ]
    assert found.rows[0]["kendall"] is None


def test_power_says_how_many_phrases_would_do():
    one = {**PAIR, "originals": 10, "power": 0.3, "needed": 80, "units_needed": 240}
    [row] = table("power", {"power": [one]}).rows
    assert (row["phrases"], row["phrases_needed"], row["texts_needed"]) == (10, 80, 240)


def test_ranking_counts_pairs():
    one = {"strict": 0.5, "half": 0.6, "ties": 2, "pairs": 20}
    [row] = table("ranking", {"accuracies": {"bleu": one}}).rows
    assert row == {
        "human": "MEANING",
        "gold": "mean",
        "metric": "bleu",
        "accuracy_strict": 0.5,
        "accuracy_half": 0.6,
        "ties": 2,
        "pairs": 20,
        "pairs_that_differ": None,
    }
    both = {
        "human": {"MEANING": {"accuracies": {"bleu": one}}},
        "majority": {"MEANING": {"accuracies": {"bleu": one}, "differ": 3}, "FLOW": None},
    }
    found = table_get(name="ranking", report=lambda _kind: both)
    assert [(row["gold"], row["pairs_that_differ"]) for row in found.rows] == [
        ("mean", None),
        ("majority", 3),
    ]


def test_what_is_not_there_is_not_found():
    with pytest.raises(NotFound, match="no such table"):
        table_get(name="nothing", report=lambda _kind: {})
    with pytest.raises(NotFound, match="nothing in this table yet"):
        table("ranking", {"accuracies": {}})

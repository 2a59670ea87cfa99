"""Rows of the tables of an extrinsic evaluation."""

from scoring.builds.views import (
    accuracy_rows,
    axis,
    cells_of,
    lengths_of,
    metrics_of,
    stars,
    tables_of,
)

CELL = {"value": 0.72, "ci_low": 0.66, "ci_high": 0.78, "n": 50}
NONE = {"value": None, "ci_low": None, "ci_high": None, "p_value": None}
REPORT = {
    "accuracy": {"nb": {"text": CELL, "PG1": {**CELL, "value": 0.4, "ci_low": 0.31}}},
    "on_paraphrases": {"nb": {"text": CELL, "PG1": CELL}},
    "repeats": {"nb": {"text": {"mean": 0.7, "sd": 0.01, "values": [0.69, 0.71]}}},
    "comparisons": [],
    "intrinsic": {
        "cells": [
            {
                "metric": "pinc",
                "system": "PG1",
                "classifier": "nb",
                "outcome": outcome,
                "pearson": {**CELL, "p_value": p},
                "spearman": {**CELL, "p_value": p},
                "pearson_holm": 0.04,
                "spearman_holm": None,
                "given_length": {"value": 0.1, "p_value": 0.5, "n": 50},
                "coverage": 1.0,
            }
            for outcome, p in (("correct", 0.02), ("p_true", None))
        ],
        "length": [
            {"metric": "pinc", "system": "PG1", "rho": -0.9, "mostly_length": True},
            {"metric": "bleu", "system": "PG1", "rho": 0.1, "mostly_length": False},
        ],
        "systems": [],
    },
}


def test_the_axis_goes_around_all_intervals():
    assert axis(REPORT) == {"least": 0.3, "most": 0.8}


def test_accuracies_have_the_spread_of_seeds_where_there_is_one():
    (row,) = accuracy_rows(REPORT, "accuracy")
    assert [cell["spread"] and cell["spread"]["sd"] for cell in row["cells"]] == [0.01, None]
    assert accuracy_rows(REPORT, "on_paraphrases")[0]["cells"][0]["spread"] is None


def test_correlations_are_those_of_a_metric_and_an_outcome():
    assert metrics_of(REPORT) == ["pinc"]
    (cell,) = cells_of(REPORT, "pinc", "correct")
    assert (cell["stars"], cell["pearson_stars"]) == ("*", "*")
    assert cells_of(REPORT, "bleu", "correct") == []
    assert [one["metric"] for one in lengths_of(REPORT)] == ["pinc"]
    assert [stars(p) for p in (None, 0.2, 0.049, 0.009)] == ["", "", "*", "**"]


def test_tables_without_rows_are_left_out():
    tables = tables_of(REPORT)
    assert set(tables) == {"accuracy", "correlation"}
    assert len(tables["accuracy"].rows) == 4 and len(tables["correlation"].rows) == 2
    row = tables["correlation"].rows[0]
    assert (row["pearson_p"], row["pearson_holm"], row["given_length"]) == (0.02, 0.04, 0.1)
    assert tuple(row) == tables["correlation"].columns

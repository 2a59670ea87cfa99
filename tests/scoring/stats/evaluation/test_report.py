"""How far metrics agree with people: the JSON of `correlate`, made from columns."""

import json

import numpy as np
import pytest

from scoring.stats import Bootstrap, RatingTable, SystemTexts, correlation_report
from scoring.stats.evaluation.ceiling import HumanCeiling
from scoring.stats.evaluation.one_metric import disagreement
from scoring.stats.evaluation.report import PARTS, Compared, MetaOptions, meta_evaluation
from tests.scoring.stats.evaluation.columns import data


def everything():
    human, metrics, codes = data()
    dense = human[:, None] + np.random.default_rng(2).normal(0, 1, (120, 4))
    return Compared(
        {"MEANING": dense.mean(axis=1), "GRAMMAR": np.round(human)},
        metrics,
        codes,
        (human > 0).astype(float),
        SystemTexts(np.arange(120), np.arange(120) % 4, tuple("WXYZ")),
        {"bleu": {"W": 30.0, "X": 31.0, "Y": 29.0, "Z": 35.0}},
        {"MEANING": HumanCeiling.of(RatingTable.from_dense(dense))},
    )


def test_the_whole_report():
    columns = everything()
    options = MetaOptions(Bootstrap(60, 1), permutations=99)
    report = meta_evaluation(columns, options)
    text = json.dumps(report.to_json(), allow_nan=False)
    assert text == json.dumps(meta_evaluation(columns, options).to_json(), allow_nan=False)
    found = json.loads(text)
    assert (found["n"], found["clusters"]) == (120, 30)
    assert set(found["roc"]) == set(columns.metrics)
    block = found["human"]["MEANING"]
    assert block["further"]["good"]["kendall_c"]["ci_low"] is not None
    for entry in block["metrics"]["good"].values():
        assert entry["ci_low"] < entry["value"] < entry["ci_high"]
        assert entry["generalises_to"] == "new clusters"
    comparison = block["comparisons"][0]
    added = {"steiger_p", "meng_p", "holm_p", "zou", "clustering", "permutation_spearman_p"}
    assert {"williams_p", "permutation_p", "mcnemar_p"} | added <= set(comparison)
    decisions = comparison["decisions"]
    assert decisions["only_a"] > decisions["only_b"] and decisions["better"] == "a"
    assert block["significance_clusters"]["pearson"][0] == ["good"]
    over = block["systems"]["good"]["pearson"]
    assert over["options"]["no_interval"] == "with 4 systems no interval means anything"
    assert block["corpus"]["bleu"]["pearson"]["n"] == 4
    assert set(block["against_ceiling"]) == set(columns.metrics)
    assert "against_ceiling" not in found["human"]["GRAMMAR"]


def test_parts_are_left_out_on_request():
    columns = everything()
    report = meta_evaluation(columns, MetaOptions(parts=("coefficients",))).to_json()
    assert report["human"]["GRAMMAR"]["comparisons"] == [] and "roc" not in report
    assert "within_originals" not in report["human"]["GRAMMAR"]
    with pytest.raises(ValueError, match="unknown parts: speed"):
        meta_evaluation(columns, MetaOptions(parts=(*PARTS, "speed")))
    plain = correlation_report({"h": columns.human["GRAMMAR"]}, {"m": columns.metrics["good"]})
    assert plain["clusters"] is None and plain["human"]["h"]["comparisons"] == []
    assert correlation_report({}, {})["n"] == 0


# The units on which a metric and people disagree most, in both directions.


def test_disagreement_by_hand():
    human = np.array([1, 2, 3, 4, np.nan])
    metric = np.array([90.0, 20, 30, 5, 50])
    found = disagreement(human, metric, most=2)
    # Percentiles of people .125 .375 .625 .875, of the metric .875 .375 .625 .125.
    assert found.gap[:4] == pytest.approx([0.75, 0, 0, -0.75]) and np.isnan(found.gap[4])
    assert (found.metric_higher.tolist(), found.people_higher.tolist()) == ([0], [3])
    row = found.to_json()["metric_higher"][0]
    assert (row["unit"], row["gap"], row["human_percentile"]) == (0, 0.75, 0.125)
    empty = disagreement(np.full(3, np.nan), np.ones(3))
    assert empty.metric_higher.size == empty.people_higher.size == 0

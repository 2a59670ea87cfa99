"""Syntactic paraphrase ranking (White 2012, tables 2 and 3)."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import mcnemar

from scoring.stats.evaluation.one_metric import fifths
from scoring.stats.evaluation.pairwise import Majority
from scoring.stats.evaluation.ranking import Layout, paraphrase_ranking

MODELS, METRICS = ("Model I", "Model II", "Model III"), ("BLEU", "TER")
COMBINATIONS = {(model, metric): f"{model}+{metric}" for model in MODELS for metric in METRICS}


def data(originals=80, each=5):
    rng = np.random.default_rng(2012)
    codes = np.repeat(np.arange(originals), each)
    n = codes.size
    human = rng.integers(2, 11, size=(n, 2)).mean(axis=1)  # Adequacy + fluency, two judges.
    noise = {"Model I": 5.0, "Model II": 2.0, "BLEU": 2.5, "TER": 9.0}
    columns = {name: human + rng.normal(0, sd, n) for name, sd in noise.items()}
    columns["Model III"] = columns["Model II"] + rng.normal(0, 0.05, n)
    columns["TER"] = np.round(columns["TER"] / 8)  # A coarse metric has ties.
    for (model, metric), name in COMBINATIONS.items():
        columns[name] = columns[model] + columns[metric]
    return human, columns, codes


def test_accuracy_and_mcnemar_by_brute_force():
    human, columns, codes = data(12)
    exact = np.arange(60) % 11 == 0
    layout = Layout(MODELS, METRICS, COMBINATIONS)
    found = paraphrase_ranking(human, columns, codes, exact=exact, layout=layout)
    pairs = [
        (a, b)
        for a, b in itertools.combinations(range(60), 2)
        if codes[a] == codes[b] and not exact[a] and not exact[b]
    ]
    one, other = np.array([(a, b) for a, b in pairs if human[a] != human[b]]).T
    assert (found.pairs, found.tied) == (one.size, len(pairs) - one.size)
    assert found.excluded == exact.sum()
    right = {}
    for name, column in columns.items():
        signs = np.sign((human[one] - human[other]) * (column[one] - column[other]))
        right[name] = signs > 0
        accuracy = found.accuracies[name]
        assert accuracy.strict == pytest.approx((signs > 0).mean())
        assert accuracy.half == pytest.approx((signs + 1).mean() / 2)
        assert accuracy.ties == (signs == 0).sum()
    assert len(found.tests) == 6 + 2 + 4
    for test in found.tests:
        a, b = right[test.column], right[test.other]
        table = [[(a & b).sum(), (a & ~b).sum()], [(~a & b).sum(), (~a & ~b).sum()]]
        assert test.mcnemar_p == pytest.approx(mcnemar(table, exact=True).pvalue)
        assert test.better == (a.sum() > b.sum())


def test_the_table_has_the_layout_of_the_paper():
    human, columns, codes = data()
    layout = Layout(MODELS, METRICS, COMBINATIONS)
    found = paraphrase_ranking(human, columns, codes, layout=layout)
    head, *rows = found.table
    # Table 3: the model alone, then each metric and the model with it; a metric stands once.
    assert head == ["", "Model", "BLEU", "Model+BLEU", "TER", "Model+TER"]
    assert [row[0] for row in rows] == list(MODELS)
    assert [row[2::2] for row in rows[1:]] == [["-", "-"]] * 2
    assert rows[0][1] == f"{100 * found.accuracies['Model I'].strict:.1f}"
    assert rows[1][1].endswith("(\u2020\u2020\u2020)")  # Far better than Model I.
    assert "\u2020" not in rows[2][1]
    assert "***" in rows[0][5] and "\u2020" not in rows[0][5]
    assert "p < .1" in found.to_json()["legend"]
    # Table 2 has no column of models alone.
    without = {name: column for name, column in columns.items() if name not in MODELS}
    second = paraphrase_ranking(human, without, codes, layout=layout)
    assert second.table[0] == ["", "BLEU", "Model+BLEU", "TER", "Model+TER"]
    half = paraphrase_ranking(human, columns, codes, layout=layout, half_credit=True).table
    assert half[1][4] == f"{100 * found.accuracies['TER'].half:.1f}" != rows[0][4]
    plain = paraphrase_ranking(human, without, codes)
    assert plain.table[0][1:] == list(without) and plain.tests == []
    json.dumps(found.to_json(), allow_nan=False)


@pytest.mark.parametrize(
    ("p", "marks"), [(0.2, ""), (0.1, ""), (0.09, "*"), (0.05, "*"), (0.04, "**"), (0.001, "***")]
)
def test_the_legend_of_the_paper(p, marks):
    human, columns, codes = data(10)
    (test,) = paraphrase_ranking(
        human,
        {"m": columns["TER"], "c": columns["BLEU"]},
        codes,
        layout=Layout(("M",), ("m",), {("M", "m"): "c"}),
    ).tests
    assert replace(test, swap_p=p, mcnemar_p=0.5).marks() == marks
    assert replace(test, swap_p=0.5, mcnemar_p=p).marks(independent=True) == marks
    assert replace(test, swap_p=None).marks() == ""


def test_missing_values_and_errors():
    human, columns, codes = data(10)
    there = codes != 3
    columns = {"BLEU": columns["BLEU"], "TER": np.where(there, columns["TER"], np.nan)}
    found = paraphrase_ranking(human, columns, codes)
    rest = {name: column[there] for name, column in columns.items()}
    whole = paraphrase_ranking(human[there], rest, codes[there])
    assert found.accuracies == whole.accuracies and found.originals == 9
    nothing = paraphrase_ranking(np.ones(50), columns, codes)
    assert "tie every pair" in nothing.reason and nothing.table == []
    unscored = paraphrase_ranking(human, {"BLEU": np.full(50, np.nan)}, codes)
    assert "no text has" in unscored.reason and unscored.table == []
    without = paraphrase_ranking(np.arange(4.0), {}, np.arange(4) // 2).to_json()
    assert without["pairs"] == 2 and not without["reason"]


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        (Layout(metrics=("NIST",)), "no column NIST"),
        (Layout(("I",), ("BLEU",), {("II", "BLEU"): "TER"}), "no row and column"),
        (Layout(("I",), ("BLEU",), {("I", "BLEU"): "x"}), "no column x"),
    ],
)
def test_a_layout_names_columns_that_are_there(layout, message):
    human, columns, codes = data(10)
    with pytest.raises(ValueError, match=message):
        paraphrase_ranking(human, columns, codes, layout=layout)


def test_the_majority_as_gold():
    """What the majority says of a pair is tested with frozen tasks."""
    rng = np.random.default_rng(4)
    codes, annotator = np.repeat(np.arange(12), 4), np.repeat(np.arange(5), 48)
    given = rng.integers(1, 6, size=(5, 48)).astype(float)
    value = given.mean(axis=0)
    majority = Majority(annotator, np.tile(np.arange(48), 5), given.ravel(), value)
    metric = value + rng.normal(0, 2, 48)
    metric[::5] = np.nan
    found = paraphrase_ranking(value, {"m": metric}, codes, majority=majority)
    a, b = np.triu_indices(48, 1)
    there = (codes[a] == codes[b]) & ~np.isnan(metric[a] - metric[b])
    a, b = a[there], b[there]
    people, by_mean = majority(a, b), np.sign((value[a] - value[b]).round(9))
    pairs, differ = (people != 0).sum(), (people != by_mean).sum()
    assert (found.pairs, found.tied, found.differ) == (pairs, a.size - pairs, differ)
    right = (people != 0) & (np.sign(metric[a] - metric[b]) == people)
    assert differ and found.accuracies["m"].strict == pytest.approx(right.sum() / pairs)
    assert paraphrase_ranking(value, {"m": metric}, codes).differ is None


# Means of people in fifths of the scores, with cluster-robust intervals.


def test_each_fifth_has_the_mean_and_median_of_its_texts():
    metric = np.array([9.0, 1, 2, 3, 4, 5, 6, 7, 8, 0])
    people = metric * 2
    found = fifths(metric, people, np.arange(10))
    assert [(one.x, one.y, one.n) for one in found] == [
        (0.5, 1.0, 2),
        (2.5, 5.0, 2),
        (4.5, 9.0, 2),
        (6.5, 13.0, 2),
        (8.5, 17.0, 2),
    ]


def test_independent_texts_have_the_usual_standard_error():
    """The first fifth has six texts; t of five degrees of freedom is 2.5706 (table)."""
    people = np.tile([1.0, 2, 4, 5, 5, 3], 5)
    people[6:] = np.tile([-20.0, 20.0], 12)
    [one] = fifths(np.arange(30.0), people, np.arange(30))[:1]
    part = people[:6]
    half = 2.570582 * part.std(ddof=1) / np.sqrt(6)
    assert (one.low, one.high) == pytest.approx((part.mean() - half, part.mean() + half), abs=1e-5)


def test_intervals_end_where_the_values_do():
    people = np.tile([1.0, 5, 5, 5, 5], 5)
    assert max(one.high for one in fifths(np.arange(25.0), people, np.arange(25))) == 5


def test_texts_of_one_original_count_as_one():
    """Each text twice: the interval of the pairs' means, as it is without the second text."""
    random = np.random.default_rng(0)
    metric, people = np.sort(random.normal(size=50)), random.normal(size=50)
    once = fifths(metric, people, np.arange(50))
    twice = fifths(metric.repeat(2), people.repeat(2), np.arange(50).repeat(2))
    for one, other in zip(once, twice, strict=True):
        assert (one.y, one.low, one.high) == pytest.approx((other.y, other.low, other.high))


def test_a_part_of_one_original_has_no_interval_and_few_texts_few_parts():
    found = fifths(np.arange(3.0), np.arange(3.0), np.zeros(3, dtype=np.int64))
    assert len(found) == 3 and all(one.low is None for one in found)
    assert fifths(np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.int64)) == []

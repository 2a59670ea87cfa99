"""The same data in a notebook and in a campaign have the same numbers."""

import pandas as pd
import pytest

from annotation.models import Judgment, Output
from paraanno import lab
from scoring.correlation.report import correlation_for
from scoring.gold.report import results_for
from scoring.models import Score
from scoring.ratings.choice import Choice


@pytest.fixture
def ratings(campaign):
    """A row for each rating on MEANING."""
    columns = {
        "substitution": "text",
        "substitution__item": "item",
        "substitution__item__phrase": "phrase",
        "annotator": "annotator",
        "value": "meaning",
    }
    rows = Judgment.objects.filter(campaign=campaign, scale__name="MEANING")
    rows = rows.order_by("substitution", "annotator").values_list(*columns)
    return pd.DataFrame(rows, columns=[*columns.values()])


def fields(row):
    """The fields of an estimate in JSON, of a row."""
    values = {"value": row["value"], "ci_low": row["low"], "ci_high": row["high"]}
    return {name: None if pd.isna(one) else one for name, one in values.items()} | {"n": row["n"]}


def same(estimate, row):
    wanted = {name: estimate[name] for name in ("value", "ci_low", "ci_high", "n")}
    assert fields(row) == pytest.approx(wanted, abs=1e-12)


def test_the_ceiling_is_that_of_the_page(campaign, ratings):
    table = ratings.groupby(["text", "item", "phrase"], as_index=False)["meaning"].mean()
    for metric in ("bleu", "pinc"):
        scores = Score.objects.filter(run__campaign=campaign, run__metric=metric)
        table[metric] = table["text"].map(dict(scores.values_list("substitution", "value")))
    rows = lab.correlate(
        table,
        human="meaning",
        metrics=["bleu", "pinc"],
        cluster="phrase",
        item="item",
        ratings=ratings,
        text="text",
        annotator="annotator",
        value="meaning",
    )
    report = correlation_for(campaign=campaign, choice=Choice())
    part = report["human"]["MEANING"]
    for kind, each in report["ceiling"]["MEANING"].items():
        for name, estimate in each.items():
            same(estimate, rows.loc[(kind, "ceiling", name)])
    for metric in ("bleu", "pinc"):
        for name in ("pearson", "spearman", "kendall", "pairwise_accuracy"):
            same(part["metrics"][metric][name], rows.loc[(metric, "texts", name)])
        for name in ("pearson", "spearman"):
            for level in ("share", "disattenuated"):
                estimate = part["against_ceiling"][metric][name][level]
                same(estimate, rows.loc[(metric, level, name)])
    assert rows.xs("ceiling", level="level")["value"].notna().all()


def test_letters_are_those_of_the_page(campaign, ratings):
    report = results_for(campaign=campaign, choice=Choice())
    outputs = Output.objects.filter(item__campaign=campaign)
    outputs = outputs.values_list("substitution", "system__label")
    by_system = ratings.merge(pd.DataFrame(outputs, columns=["text", "system"]), on="text")
    columns = {"item": "item", "text": "text", "annotator": "annotator", "value": "meaning"}
    means = lab.results(by_system, system="system", **columns, cluster="phrase", levels=[1, 5])
    letters = next(
        one["letters"]
        for one in report["clusters"]
        if (one["outcome"], one["scale"]) == ("mean", "MEANING")
    )
    assert means["letters"].to_dict() == letters
    pairs = lab.compare(by_system, system="system", **columns, cluster="phrase", levels=[1, 5])
    assert pairs.attrs["letters"] == letters
    p_values = {
        (one["a"], one["b"]): one["p_max_t"] for one in report["pairs"] if one["scale"] == "MEANING"
    }
    assert pairs["p_max_t"].to_dict() == {pair: p_values[pair] for pair in pairs.index}

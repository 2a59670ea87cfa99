"""Analyses of frames against the commands, scipy and plain means."""

import io
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from django.core.management import call_command

from annotation.campaigns.starting import MOST_LABELLED
from paraanno import lab
from paraanno.common.places import own_environment
from scoring.stats.agreement.report import agreement_report
from scoring.stats.table import RatingTable
from tests import HOME
from tests.paraanno.lab.rated import COLUMNS, OF_A, RATED, rng


def command(tmp_path, frame, *arguments):
    path = tmp_path / "file.csv"
    frame.to_csv(path, index=False)
    out = io.StringIO()
    call_command(arguments[0], str(path), *arguments[1:], "--json", stdout=out)
    return json.loads(out.getvalue())


def test_agreement_is_that_of_the_command(tmp_path):
    found = lab.agreement(OF_A, **COLUMNS, cluster="phrase", bootstrap=50, seed=4)
    frame = OF_A.rename(columns={"rater": "annotator", "MEANING": "value"}).assign(scale="M")
    told = command(
        tmp_path, frame, "agreement", "--cluster", "phrase", "--bootstrap", "50", "--seed", "4"
    )["scales"]["M"]
    assert list(found.columns) == ["value", "low", "high", "n", "method", "reason"]
    assert len(found) > 20
    for name, row in found.iterrows():
        wanted = [told[name][field] for field in ("value", "ci_low", "ci_high")]
        assert [None if pd.isna(row[x]) else row[x] for x in ("value", "low", "high")] == wanted
        assert row["n"] == told[name]["n"] and row["method"].startswith(told[name]["method"])


@pytest.mark.parametrize(
    ("values", "kind", "first"),
    [
        ([1, 2, 3, 4], None, ["alpha_ordinal", "icc_2_k", "icc_2_1"]),
        ([0, 30, 70, 100], None, ["alpha_interval", "icc_2_k", "icc_2_1"]),
        ([1, 5, 11], None, ["alpha_ordinal"]),
        ([1, 5, 12], None, ["alpha_interval"]),
        ([1, 2, 3, 4], "numeric", ["alpha_interval"]),
        ([1, 2, 3, 4], "nominal", ["alpha_nominal", "percent_agreement"]),
        ([0, 1], None, ["alpha_nominal", "percent_agreement"]),
    ],
)
def test_what_leads_for_the_scale_comes_first(values, kind, first):
    """As on the page of a campaign whose scale is of that kind."""
    places = np.searchsorted([1.5, 2.5, 3.5][: len(values) - 1], OF_A["MEANING"])
    frame = OF_A.assign(MEANING=np.array(values)[places])
    rows = lab.agreement(frame, **COLUMNS, kind=kind)
    assert list(rows.index[: len(first)]) == rows.attrs["leads"][: len(first)] == first
    unit, who = frame["item"].to_numpy(), pd.factorize(frame["rater"])[0]
    table = RatingTable(unit, who, frame["MEANING"].to_numpy(dtype=float), 20, 3)
    level = kind or ("ordinal" if values[-1] - values[0] <= MOST_LABELLED else "numeric")
    block = agreement_report({"M": table}, kinds={"M": level})["scales"]["M"]
    assert list(rows.index[: len(block["leads"])]) == block["leads"] == rows.attrs["leads"]
    assert list(rows.index[len(rows) - len(block["unfit"]) :]) == block["unfit"]


def test_items_without_a_value_of_both_are_no_pairs():
    frame = RATED.assign(
        MEANING=RATED["MEANING"].where((RATED["item"] > 2) | (RATED["system"] < "C"))
    )
    pairs = lab.compare(frame, system="system", **COLUMNS, cluster="phrase", permutations=50)
    assert pairs["n"].to_dict() == {("A", "B"): 20, ("A", "C"): 17, ("B", "C"): 17}


def test_what_few_phrases_allow_is_said():
    few = RATED[RATED["phrase"] < 5]
    one = few[few["system"] == "A"]
    alpha = lab.agreement(one, **COLUMNS, cluster="phrase").loc["alpha_ordinal"]
    assert alpha["reason"] == "8 clusters are needed for an interval; there are 5"
    pairs = lab.compare(few, system="system", **COLUMNS, cluster="phrase", permutations=50)
    assert pairs.loc[("A", "C"), "reason"].startswith("5 phrases cannot tell two systems apart")
    means = lab.results(few, system="system", **COLUMNS, cluster="phrase", levels=[1, 5])
    assert "the fewest from 5" in means.attrs["warning"] and "jackknife" in means.report()
    top = few.assign(MEANING=few["MEANING"].where(few["item"] == 3, 5))
    ends = lab.results(top, system="system", **COLUMNS, cluster="phrase")
    assert ends["high"].max() == 5.0


def test_texts_in_the_place_of_items_are_noticed():
    shared = RATED[RATED["system"] == "A"]
    copied = pd.concat([shared, shared.assign(system="B")])
    found = lab.compare(copied, system="system", **COLUMNS, permutations=50)
    assert "what was paraphrased" in found.attrs["warning"]


def test_a_metric_of_which_lower_is_better_is_reversed():
    means = RATED.groupby(["system", "item"], as_index=False)["MEANING"].mean()
    means["errors"] = -means["MEANING"]
    found = lab.correlate(means, human="MEANING", metrics=["errors"], lower=["errors"])
    assert found.loc[("errors", "texts", "pearson"), "value"] == pytest.approx(1)
    assert found.loc[("errors", "texts", "pearson"), "method"].endswith("its sign reversed")
    with pytest.raises(lab.ColumnError, match="give a list"):
        lab.correlate(means, human="MEANING", metrics=["errors"], lower="errors")
    with pytest.raises(lab.ColumnError, match="lower"):
        lab.correlate(means, human="MEANING", metrics=["errors"], lower=["other"])


def test_correlations_are_those_of_scipy_by_text_and_by_system():
    means = RATED.groupby(["system", "item"], as_index=False)["MEANING"].mean()
    means["metric"] = means["MEANING"] + rng.normal(size=len(means))
    found = lab.correlate(
        means, human="MEANING", metrics=["metric"], cluster="item", system="system", bootstrap=50
    )["value"]
    for name, how in (("pearson", scipy.stats.pearsonr), ("kendall", scipy.stats.kendalltau)):
        assert found["metric", "texts", name] == pytest.approx(
            how(means["MEANING"], means["metric"])[0]
        )
        by = means.groupby("system")[["MEANING", "metric"]].mean()
        assert found["metric", "systems", name] == pytest.approx(
            how(by["MEANING"], by["metric"])[0]
        )


def test_the_ceiling_is_of_the_texts_of_the_frame():
    rated = OF_A.assign(MEANING=OF_A["item"] % 4 + rng.integers(0, 2, size=60))
    means = rated.groupby(["item", "phrase"], as_index=False)["MEANING"].mean()
    means["metric"] = means["MEANING"] + rng.normal(size=20)
    columns = {"human": "MEANING", "metrics": ["metric"], "cluster": "phrase"}
    raters = {"text": "item", "annotator": "rater", "value": "MEANING"}
    rows = lab.correlate(means, **columns, ratings=rated, **raters)
    others = pd.concat([RATED[RATED["system"] == "B"].assign(item=lambda t: t["item"] + 90), rated])
    pd.testing.assert_frame_equal(lab.correlate(means, **columns, ratings=others, **raters), rows)
    wide = rated.pivot(index="item", columns="rater", values="MEANING")
    each = [wide[name].corr(wide.drop(columns=name).mean(axis=1)) for name in wide]
    assert rows.loc[("leave_one_out", "ceiling", "pearson"), "value"] == pytest.approx(
        np.mean(each)
    )
    assert rows["value"].notna().all()
    plain = lab.correlate(means, **columns)
    assert set(plain.index.get_level_values("level")) == {"texts"}
    pd.testing.assert_frame_equal(rows.xs("texts", level=1), plain.xs("texts", level=1))
    reversed_ = lab.correlate(
        means.assign(metric=-means["metric"]), **columns, lower=["metric"], ratings=rated, **raters
    )
    assert reversed_["value"].to_dict() == pytest.approx(rows["value"].to_dict())


def test_results_gold_and_differences_are_means():
    found = lab.results(RATED, system="system", **COLUMNS, cluster="phrase", bootstrap=50)
    means = RATED.groupby("system")["MEANING"].mean().sort_values(ascending=False)
    assert found["value"].to_dict() == pytest.approx(means.to_dict())
    assert list(found.index) == list(means.index)
    assert (found["low"] < found["value"]).all() and (found["value"] < found["high"]).all()
    pairs = lab.compare(
        RATED, system="system", **COLUMNS, cluster="phrase", bootstrap=50, permutations=200
    )
    assert pairs.loc[("A", "B"), "value"] == pytest.approx(means["A"] - means["B"])
    assert pairs.loc[("A", "B"), "n"] == 20 and pairs.loc[("A", "C"), "p"] < 0.05
    gold = lab.gold(OF_A, **COLUMNS)
    assert gold["value"].to_dict() == pytest.approx(
        OF_A.groupby("item")["MEANING"].mean().to_dict()
    )


def test_the_import_brings_neither_django_nor_what_is_used_later():
    later = ["django", "scipy.stats", "gensim", "torch", "matplotlib", "celery", "sklearn"]
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import sys, paraanno.lab; print([m for m in {later} if m in sys.modules])",
        ],
        env=own_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == "[]"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "folder", "end"),
    [
        ("README.md", ".", "[The page on notebooks]"),
        ("docs/lab.md", "examples/notebook", "This is `"),
    ],
)
def test_the_lines_of_the_guides_run(monkeypatch, text, folder, end):
    monkeypatch.chdir(HOME / folder)
    read = (HOME / text).read_text(encoding="utf-8").partition("    import pandas as pd\n")[2]
    names = {"pd": pd}
    exec("\n".join(line[4:] for line in read.partition(end)[0].splitlines()), names)
    assert names["table"][["bleu", "pinc", "value"]].notna().all(axis=1).sum() > 500

"""Analyses of frames against the commands, scipy and plain means."""

import doctest
import io
import json
import subprocess
import sys

import pandas as pd
import pytest
import scipy.stats
from django.core.management import call_command

from paraanno import lab
from paraanno.common.places import own_environment
from paraanno.lab import analyses
from tests import HOME
from tests.paraanno.lab.rated import COLUMNS, OF_A, RATED, rng


def test_examples():
    tried = doctest.testmod(analyses, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried.attempted and not tried.failed


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

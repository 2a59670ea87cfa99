"""`paraanno.lab` against the commands, sacrebleu and scipy, and its refusals."""

import doctest
import importlib
import io
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import sacrebleu
import scipy.stats
from django.core.management import call_command

from paraanno import lab
from paraanno.plain.places import own_environment

rng = np.random.default_rng(3)
RATED = pd.DataFrame(
    [
        (system, item, rater, float(np.clip(round(rng.normal(3 + shift, 1)), 1, 5)), item // 2)
        for shift, system in enumerate("ABC")
        for item in range(20)
        for rater in "xyz"
    ],
    columns=["system", "item", "rater", "MEANING", "phrase"],
)
OF_A = RATED[RATED["system"] == "A"]
COLUMNS = {"item": "item", "annotator": "rater", "value": "MEANING"}
PAIRS = pd.DataFrame(
    {
        "before": ["the cat sat down", "it rains", "nobody knew why he left"],
        "after": ["the cat lay down", "rain falls", ""],
        "known": ["the cat lay", "rain is falling", "no one knew why"],
    },
    index=[7, 3, 5],
)


@pytest.mark.parametrize("name", ["agreeing", "comparing", "scoring"])
def test_examples(name):
    module = importlib.import_module(f"paraanno.lab.{name}")
    tried = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
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
        assert (row["n"], row["method"]) == (told[name]["n"], told[name]["method"])


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


def test_scores_keep_the_index_and_are_those_of_sacrebleu():
    found = lab.score(
        PAIRS, ["bleu", "pinc"], original="before", paraphrase="after", references="known"
    )
    assert list(found.index) == [7, 3, 5] and list(found.columns) == ["bleu", "pinc"]
    bleu = sacrebleu.BLEU(effective_order=True)
    for key in (7, 3):
        wanted = bleu.sentence_score(PAIRS["after"][key], [PAIRS["known"][key]]).score
        assert found["bleu"][key] == pytest.approx(wanted, abs=1e-12)
    assert found.loc[5].isna().all()
    assert "bleu" in found.attrs["signatures"]["bleu"]


def test_a_frame_is_told_set_and_drawn():
    found = lab.agreement(OF_A, **COLUMNS, bootstrap=20).head(3)
    assert isinstance(found, lab.Statistics)
    assert found.report().splitlines()[0].startswith("percent_agreement")
    assert found.to_latex(caption="A & B").count(r"\\") == 4
    assert r"\caption{A \& B}" in found.to_latex(caption="A & B")
    assert [one.get_text() for one in found.plot().get_yticklabels()] == list(found.index)


TWICE = pd.concat([OF_A, OF_A.head(1)])
REFUSED = [
    (lambda: lab.agreement(OF_A, **{**COLUMNS, "item": "txt"}), "no column 'txt'; the frame has"),
    (lambda: lab.agreement(OF_A, **{**COLUMNS, "value": "rater"}), "'rater' has 'x' in row 1"),
    (lambda: lab.agreement(TWICE, **COLUMNS), "'MEANING': x rated 0 twice"),
    (lambda: lab.agreement(OF_A, **COLUMNS, levels=[1, 2]), "'MEANING' has"),
    (lambda: lab.agreement(OF_A.assign(c=range(60)), **COLUMNS, cluster="c"), "'c' differs"),
    (lambda: lab.agreement(OF_A.assign(item=None), **COLUMNS), "'item' is empty in row 1"),
    (lambda: lab.gold(OF_A, **COLUMNS, method="mode"), "no method 'mode': use one of mean"),
    (lambda: lab.correlate(OF_A, human="MEANING", metrics="phrase"), r"give a list .*'phrase'"),
    (lambda: lab.score(PAIRS, ["bleu"], original="a", paraphrase="after"), "no column 'a'"),
    (lambda: lab.score(PAIRS, ["blue"], original="before", paraphrase="after"), "blue"),
    (lambda: lab.score(PAIRS, ["pinc"], original="after", paraphrase="after"), "'after' is empty"),
]  # fmt: skip


@pytest.mark.parametrize(("how", "told"), REFUSED)
def test_a_refusal_names_the_column(how, told):
    with pytest.raises(ValueError, match=told):
        how()


def test_the_import_brings_neither_django_nor_what_is_used_later():
    later = ["django", "scipy.stats", "gensim", "torch", "matplotlib", "celery", "sklearn"]
    told = subprocess.run(
        [sys.executable, "-c",
         f"import sys, paraanno.lab; print([m for m in {later} if m in sys.modules])"],
        env=own_environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout.strip() == "[]"

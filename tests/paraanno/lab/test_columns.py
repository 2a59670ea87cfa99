"""What is wrong with a column is told by its name."""

import warnings

import pandas as pd
import pytest

from paraanno import lab
from tests.paraanno.lab.rated import COLUMNS, OF_A, RATED
from tests.paraanno.lab.test_scoring import PAIRS

TWICE = pd.concat([OF_A, OF_A.head(1)])
LISTS = pd.DataFrame({"text": ["a", "b"], "who": [["x", "y"], ["x", "y"]], "v": [[1, 2], [3, 3]]})
OF_LISTS = {"item": "text", "annotator": "who", "value": "v"}
MEANS = OF_A.groupby("item", as_index=False)["MEANING"].mean().assign(metric=range(20))
REFUSED = [
    (lambda: lab.agreement(OF_A, **{**COLUMNS, "item": "txt"}), "no column 'txt'; the frame has"),
    (lambda: lab.agreement(OF_A, **{**COLUMNS, "value": "rater"}), "'rater' has 'x' in row 1"),
    (lambda: lab.agreement(TWICE, **COLUMNS), "'MEANING': annotator 'x' rated '0' twice"),
    (lambda: lab.agreement(OF_A, **COLUMNS, levels=[1, 2]), "'MEANING' has"),
    (lambda: lab.agreement(OF_A.assign(c=range(60)), **COLUMNS, cluster="c"), "'c' differs"),
    (lambda: lab.agreement(OF_A.assign(item=None), **COLUMNS), "'item' is empty in row 1"),
    (lambda: lab.gold(OF_A, **COLUMNS, method="mode"), "no method 'mode': use one of mean"),
    (lambda: lab.correlate(OF_A, human="MEANING", metrics="phrase"), r"give a list .*'phrase'"),
    (lambda: lab.score(PAIRS, ["bleu"], original="a", paraphrase="after"), "no column 'a'"),
    (lambda: lab.score(PAIRS, ["blue"], original="before", paraphrase="after"), "blue"),
    (lambda: lab.score(PAIRS, ["pinc"], original="after", paraphrase="after"), "'after' is empty"),
    (
        lambda: lab.agreement(LISTS, **OF_LISTS),
        r"'v' has several values in row 1, \[1, 2\], and so has 'who': .*explode\(\['who', 'v'\]\)",
    ),
    (
        lambda: lab.agreement(
            OF_A.groupby("item", as_index=False).agg(list), **COLUMNS, cluster="phrase"
        ),
        r"and so has 'rater', and so has 'phrase': .*explode\(\['rater', 'phrase', 'MEANING'\]\)",
    ),
    (
        lambda: lab.gold(LISTS.assign(v=1), **OF_LISTS),
        r"'who' has several values in row 1, .* frame.explode\('who'\)",
    ),
    (
        lambda: lab.results(OF_A.assign(s=[["B", "T"]] * 60), system="s", **COLUMNS),
        r"column 's' has several values in row 1, \['B', 'T'\]: make a row of each",
    ),
    (
        lambda: lab.compare(OF_A.assign(s=[("B", "T")] * 60), system="s", **COLUMNS),
        "column 's' has several values in row 1",
    ),
    (
        lambda: lab.score(
            PAIRS.assign(known=[["a"]] * 3),
            ["bleu"],
            original="before",
            paraphrase="after",
            references="known",
        ),
        "column 'known' has several values in row 1",
    ),
    (
        lambda: lab.agreement(OF_A, **COLUMNS, kind="interval"),
        "kind='interval': use one of nominal",
    ),
    (lambda: lab.gold(OF_A.set_index("item"), **COLUMNS), r"'item' is the index.*reset_index\(\)"),
    (
        lambda: lab.correlate(MEANS, human="MEANING", metrics=["metric"], ratings=OF_A),
        "ratings: name the columns `text`, `annotator` and `value` too",
    ),
    (
        lambda: lab.correlate(
            MEANS,
            human="MEANING",
            metrics=["metric"],
            ratings=OF_A.assign(item="none"),
            text="item",
            annotator="rater",
            value="MEANING",
        ),
        "column 'item': the two frames have no value in common",
    ),
]


@pytest.mark.parametrize(("how", "told"), REFUSED)
def test_a_refusal_names_the_column(how, told):
    with pytest.raises(ValueError, match=told):
        how()


ONE_EACH = {"A": "BART large", "B": "T5, large", "C": "large"}


@pytest.mark.parametrize(
    ("systems", "cell"),
    [
        ({"A": "BART;T5"}, "'BART;T5'"),
        ({"A": "B | C"}, r"'B \| C', .*split\(' \| '\)"),
        ({"A": "B C"}, "'B C'"),
        ({"A": "C,B"}, "'C,B'"),
        (ONE_EACH, None),
        ({}, None),
    ],
)
@pytest.mark.parametrize("how", ["results", "compare", "correlate"])
def test_systems_in_one_cell_warn(systems, cell, how):
    frame = RATED.assign(system=RATED["system"].replace(systems), metric=range(len(RATED)))
    columns = {"human": "MEANING", "metrics": ["metric"]} if how == "correlate" else COLUMNS
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        getattr(lab, how)(frame, system="system", **columns)
    assert [one.filename for one in caught] == ([] if cell is None else [__file__])
    if cell is not None:
        with pytest.warns(UserWarning, match=f"column 'system' has {cell}"):
            getattr(lab, how)(frame, system="system", **columns)

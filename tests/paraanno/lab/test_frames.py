"""A frame of statistics as text, table and drawing; what `help` prints."""

import doctest
import pickle
import pydoc
import re

import numpy as np
import pytest

from paraanno import lab
from paraanno.lab import client, frames, metrics, ratings
from tests.paraanno.lab.rated import COLUMNS, OF_A, RATED


@pytest.mark.parametrize("module", [client, frames, frames, metrics, ratings, ratings])
def test_examples(module):
    results = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert not results.failed
    assert results.attempted or module in (client, frames)


def test_every_function_has_an_example():
    for name in ("agreement", "compare", "correlate", "gold", "results", "score"):
        assert ">>> " in getattr(lab, name).__doc__


def test_help_prints_what_is_public_and_none_of_pandas():
    assert dir(lab) == sorted(lab.__all__)
    pages = [pydoc.plain(pydoc.render_doc(one)) for one in (lab, lab.Statistics)]
    assert [page.count("\n") < most for page, most in zip(pages, (500, 60), strict=True)] == [
        True,
        True,
    ]
    for name in lab.__all__:
        assert f"    {name}(" in pages[0] or f"class {name}(" in pages[0]
    for page in pages:
        assert "to_latex" in page and "pivot_table" not in page
    frame = lab.gold(OF_A, **COLUMNS)
    assert "pivot_table" in dir(frame) and "report" in dir(frame)
    assert pickle.loads(pickle.dumps(frame)).equals(frame)


def test_letters_stand_beside_means_and_below_pairs():
    columns_of = {"system": "system", **COLUMNS, "cluster": "phrase", "permutations": 200}
    means = lab.results(RATED, **columns_of)
    pairs = lab.compare(RATED, **columns_of)
    assert means["letters"].to_dict() == pairs.attrs["letters"] == {"C": "a", "B": "b", "A": "c"}
    first = means.report().splitlines()[0]
    assert re.match(r"C  \d\.\d\d \[.*\]  a  n = ", first)
    assert f"\nC a, B b, A c\n{frames.LETTERS}\n" in pairs.report()
    assert f"\n{frames.LETTERS}\n" in means.report() and "C a, B" not in means.report()
    assert (
        r"$\textsuperscript{a} & $[" in means.to_latex() and "superscript" not in pairs.to_latex()
    )
    few = RATED[RATED["phrase"] < 5]
    assert set(lab.results(few, **columns_of)["letters"]) == {""}
    alone = lab.results(RATED[RATED["system"] == "A"], **columns_of)
    assert set(alone["letters"]) == {""} and frames.LETTERS not in alone.report()


def test_a_frame_is_told_set_and_drawn():
    found = lab.agreement(OF_A, **COLUMNS, bootstrap=20).loc[
        ["percent_agreement", "alpha_nominal", "alpha_ordinal"]
    ]
    assert isinstance(found, lab.Statistics)
    found.loc["percent_agreement", "method"] += "; (a; b)"
    first, *_, below = found.rename({"percent_agreement": "long " * 20}).report().splitlines()
    assert first.startswith(f"{('long ' * 20)[:39]}…  0.") and first.endswith("; [1]; (a; b)")
    assert below.startswith("[1] 95 % ")
    assert found.to_latex(caption="A & B").count(r"\\") == 4
    assert r"\caption{A \& B}" in found.to_latex(caption="A & B")
    tested = found.assign(p=[0.0004, 0.0314, np.nan])
    lines = tested.report().splitlines()[:3]
    assert [re.search(r" p (\S+ ?\.?\d*)", line)[1].strip() for line in lines] == [
        "< .001",
        "= .031",
        "--",
    ]
    assert [line.split(" & ")[-1] for line in tested.to_latex().splitlines()[4:7]] == [
        r"$< .001$ \\",
        r"$.031$ \\",
        r"-- \\",
    ]
    assert [one.get_text() for one in found.plot().get_yticklabels()] == list(found.index)

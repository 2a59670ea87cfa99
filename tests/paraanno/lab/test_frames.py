"""A frame of statistics as text, table and drawing."""

import re

import numpy as np

from paraanno import lab
from tests.paraanno.lab.rated import COLUMNS, OF_A


def test_a_frame_is_told_set_and_drawn():
    found = lab.agreement(OF_A, **COLUMNS, bootstrap=20).head(3)
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

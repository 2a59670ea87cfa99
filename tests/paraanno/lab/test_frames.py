"""A frame of statistics as text, table and drawing."""

from paraanno import lab
from tests.paraanno.lab.rated import COLUMNS, OF_A


def test_a_frame_is_told_set_and_drawn():
    found = lab.agreement(OF_A, **COLUMNS, bootstrap=20).head(3)
    assert isinstance(found, lab.Statistics)
    assert found.report().splitlines()[0].startswith("percent_agreement")
    assert found.to_latex(caption="A & B").count(r"\\") == 4
    assert r"\caption{A \& B}" in found.to_latex(caption="A & B")
    assert [one.get_text() for one in found.plot().get_yticklabels()] == list(found.index)

"""Tables for LaTeX in the style of booktabs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.paper import latex_table
from scoring.paper.latex import SPECIAL, escape, number, with_interval


@given(st.text(alphabet=st.sampled_from([*SPECIAL, "a", " ", "\n", "é"])))
def test_escaped_text_has_no_bare_special_sign(text: str) -> None:
    rest = escape(text)
    for found in sorted(SPECIAL.values(), key=len, reverse=True):
        rest = rest.replace(found, "")
    assert set(rest) <= {"a", " ", "é"}


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.715, ".71"), (-0.25, "-.25"), (-0.001, ".00"), (1.0, "1.00"), (2.5, "2.50"), (None, "--")],
)
def test_numbers_are_printed_as_in_papers(value: float | None, text: str) -> None:
    assert number(value) == text


def test_a_table_has_its_interval_and_refuses_a_short_row() -> None:
    cell = with_interval(0.7, 0.61, 0.79)
    table = latex_table(["", "M & G"], [["alpha", cell]], caption="50 %", label="x", source="s")
    assert r"alpha & .70 {\scriptsize [.61, .79]} \\" in table
    assert r"M \& G" in table and r"\caption{50 \%}" in table and "% s\n" in table
    with pytest.raises(ValueError, match="cells"):
        latex_table(["", "M"], [["alpha"]], caption="", label="x", source="")

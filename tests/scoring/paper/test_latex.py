"""Tables for LaTeX in the style of booktabs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.paper import latex_table
from scoring.paper.tables import SPECIAL, Heading, escape, number, with_interval


@given(st.text(alphabet=st.sampled_from([*SPECIAL, "a", " ", "\n", "é"])))
def test_escaped_text_has_no_bare_special_sign(text):
    rest = escape(text)
    for found in sorted(SPECIAL.values(), key=len, reverse=True):
        rest = rest.replace(found, "")
    assert set(rest) <= {"a", " ", "é"}


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.715, ".71"), (-0.25, "-.25"), (-0.001, ".00"), (1.0, "1.00"), (2.5, "2.50"), (None, "--")],
)
def test_numbers_are_printed_as_in_papers(value, text):
    assert number(value) == text


def test_a_table_has_its_interval_and_refuses_a_short_row():
    cell = with_interval(0.7, 0.61, 0.79)
    table = latex_table(["", "M & G"], [["alpha", cell]], caption="50 %", label="x", source="s")
    assert r"alpha & .70 {\scriptsize [.61, .79]} \\" in table
    assert r"M \& G" in table and r"\caption{50 \%}" in table and "% s\n" in table
    with pytest.raises(ValueError, match="cells"):
        latex_table(["", "M"], [["alpha"]], caption="", label="x", source="")


@pytest.mark.parametrize(
    ("columns", "name", "tabulars"), [(2, "table", 1), (5, "table*", 1), (12, "table*", 2)]
)
def test_a_table_is_as_wide_as_a_column_or_a_page(columns, name, tabulars):
    """What does not fit on a page follows below, under the same rows."""
    header = ["", *(f"Scale {at}" for at in range(columns))]
    cell = with_interval(0.7, 0.61, 0.79)
    row = ["Cohen's kappa", *[cell] * columns]
    table = latex_table(header, [row], caption="c", label="x", source="s")
    assert table.count(rf"\begin{{{name}}}") == 1
    assert table.count(r"\begin{tabular}") == table.count("Cohen's kappa") == tabulars
    assert table.count(cell) == columns


def test_a_long_table_goes_on_on_the_next_page_under_its_heading():
    rows = [Heading("M"), *([f"metric {at}", "1"] for at in range(100))]
    table = latex_table(["", "n"], rows, caption="c", label="x", source="s")
    assert table.count(r"\begin{table}") == 3 == table.count("{l}{M}")
    assert r"\caption{c (part 3)}" in table and r"\label{x-3}" in table
    assert [f"metric {at} &" in table for at in range(100)] == [True] * 100


def test_letters_beyond_latin_are_announced():
    told = latex_table(["", "n"], [["한국어", "1"]], caption="≤ ρ −", label="x", source="s")
    assert "XeLaTeX" in told and r"$\leq$ $\rho$ $-$" in told
    assert "XeLaTeX" not in latex_table(["", "n"], [["é", "1"]], caption="", label="x", source="")


def test_a_part_has_no_row_that_is_empty_in_it():
    """Nor a heading without a row."""
    header = ["", *(f"Scale {at}" for at in range(12))]
    cell = with_interval(0.7, 0.61, 0.79)
    rows = [
        ["all", *[cell] * 12],
        Heading("of the first"),
        ["first", cell, *[""] * 11],
        Heading("of the last"),
        ["last", *[""] * 11, cell],
    ]
    text = latex_table(header, rows, caption="c", label="x", source="s")
    one, two = text.split(r"\begin{tabular}")[1:]
    for part, has, lacks in ((one, "first", "last"), (two, "last", "first")):
        assert "\nall &" in part and f"\n{has} &" in part and f"{{of the {has}}}" in part
        assert lacks not in part
    assert text.count(cell) == 14

"""Tables in Markdown."""

import pytest

from annotation.http.markdown import as_html
from scoring.paper.rows import markdown_table


def test_a_table_with_its_caption():
    found = markdown_table(["", "r", "n"], [["bleu", "0.7", "9"]], caption="All of it")
    assert found == ("**All of it**\n\n|  | r | n |\n| --- | ---: | ---: |\n| bleu | 0.7 | 9 |\n")


def test_cells_cannot_break_the_table():
    found = markdown_table(["a|b", "c\nd"], [["x|y", " two\n lines "]], caption="1\n2")
    assert found.splitlines() == [
        "**1 2**",
        "",
        "| a\\|b | c d |",
        "| --- | ---: |",
        "| x\\|y | two lines |",
    ]
    assert str(as_html(found)).count("<td") == 2


def test_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match="1 cells, the header 2"):
        markdown_table(["a", "b"], [["x"]], caption="")

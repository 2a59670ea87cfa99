"""How to cite the software and the methods: every method that is listed has a complete entry."""

import re

import pytest

from annotation.http.markdown import as_html
from scoring.metrics.registry import names
from scoring.paper import facts
from scoring.paper.rows import markdown_table
from scoring.stats.agreement.catalogue import coefficients

LISTED = (facts.METRICS, facts.AGREEMENT, facts.ACCURACY)
NEEDED = {
    "article": {"author", "title", "journal", "volume", "pages", "year", "doi"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "misc": {"author", "title", "year"},
}


def fields_of(entry):
    return dict(re.findall(r"^  (\w+) = \{(.*?)\},$", entry, re.MULTILINE | re.DOTALL))


def test_every_key_has_an_entry_and_every_entry_a_use():
    used = {key for table in LISTED for keys in table.values() for key in keys}
    assert used | {*facts.ALWAYS, *facts.PHRASES} == set(facts.entries())
    assert set(facts.METRICS) <= set(names())
    starts = tuple(facts.AGREEMENT)
    assert all(any(key.startswith(start) for key in coefficients()) for start in starts)


def test_entries_are_complete_and_balanced():
    for key, entry in facts.entries().items():
        kind = re.match(r"@(\w+)\{", entry)
        assert kind is not None
        found = fields_of(entry)
        wanted = NEEDED[kind[1]]
        if "url" in found:  # What has no DOI.
            wanted = wanted - {"doi"}
        assert wanted <= set(found), key
        assert re.fullmatch(r"\d{4}", found["year"]) and entry.count("{") == entry.count("}")


def test_what_was_used_is_cited_once_and_nothing_else():
    keys = facts.cited(
        coefficients=["alpha_ordinal", "alpha_interval", "cohen_kappa", "n_units", "acc_eq"],
        metrics=["bleu", "chrf", "length_ratio"],
        phrases=False,
    )
    assert keys == [
        *facts.ALWAYS,
        "krippendorff2011",
        "cohen1960",
        "deutsch2023",
        "papineni2002",
        "post2018",
        "popovic2015",
    ]
    # The longest beginning counts: a weighted kappa is Cohen's of 1968 too.
    assert "cohen1968" in facts.cited(
        coefficients=["cohen_kappa_quadratic"], metrics=[], phrases=False
    )
    assert "callisonburch2008" in facts.cited(coefficients=[], metrics=[], phrases=True)


def test_the_software_comes_first_with_its_version():
    text = facts.bibliography("9.8", "abc", ["cohen1960"])
    first, second = re.findall(r"^@\w+\{(\w+),", text, re.MULTILINE)
    assert (first, second) == ("paraanno", "cohen1960")
    assert "Version 9.8, GPL-3.0-or-later; data abc" in text
    page = facts.citation_page("9.8", "abc", {"BLEU": "bleu|x"})
    assert "Version 9.8." in page and "- BLEU: `bleu|x`" in page


# Tables in Markdown.


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

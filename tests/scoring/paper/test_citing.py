"""How to cite the software and the methods: every method that is listed has a complete entry."""

import re

from scoring.metrics.registry import names
from scoring.paper import facts
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

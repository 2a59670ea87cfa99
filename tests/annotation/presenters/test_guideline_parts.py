"""Reading guidelines: sections, examples for each value, search, what changed."""

import pytest

from annotation.campaigns.views import changes, guide_of
from tests.annotation.presenters.guides import TEXT

pytestmark = pytest.mark.django_db


def guide(campaign, text=TEXT, query=""):
    scales = list(campaign.scales.prefetch_related("points"))
    return guide_of(text=text, scales=scales, query=query)


def titles(found):
    return [part.title for part in found.parts]


def test_examples_stand_beside_the_anchors_of_their_points(campaign):
    found = guide(campaign)
    # A heading that had examples alone goes with them, one with more under it stays.
    assert titles(found) == [
        "How to judge",
        "Wholly in doubt",
        "Worked examples",
        "MEANING 9",
    ]
    meaning, grammar = found.tables
    assert [row.value for row in meaning.examples] == [1, 2, 3, 4, 5]
    assert "began to" in meaning.examples[4].html and meaning.examples[4].label == "Same"
    assert "Falls apart." in grammar.examples[0].html and grammar.examples[1].html == ""
    assert [part.title for part in found.contents] == titles(found)[1:]


@pytest.mark.parametrize("title", ["MEANING", "MEANINGS 5", "MEANING 5th", "MEANING 2.5", "5"])
def test_other_headings_are_headings(campaign, title):
    assert guide(campaign, f"## {title}\n\ntext").tables == ()


def test_searching_leaves_what_has_all_words_and_marks_them(campaign):
    found = guide(campaign, query="VALUE lower")
    assert titles(found) == ["Wholly in doubt"] and found.tables == ()
    assert "<mark>lower</mark> <mark>value</mark>" in found.parts[0].html
    found = guide(campaign, query="began")
    assert titles(found) == [] and [row.value for row in found.tables[0].examples] == [5]
    assert guide(campaign, query="nowhere").matches == 0


def test_changes_by_paragraphs():
    [first, second] = changes("a\n\nb\n\nc", "a\r\n\r\nB\n \nc\n\nd")
    assert (first.removed, first.added) == (("b",), ("B",))
    assert (second.removed, second.added) == ((), ("d",))
    assert changes("a\n\n\nb\n", "a\n\nb") == []

"""Reading guidelines: sections, examples for each value, search, what changed."""

import pytest
from django.utils.safestring import SafeString

from annotation.campaigns.views import changes, guide_of
from annotation.http.markdown import marked, sections_of
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


def test_sections_keep_links_whose_target_stands_elsewhere():
    first, *others = sections_of(TEXT)
    assert 'href="https://example.org/manual"' in first.html
    assert "Read slowly, see the manual." in first.words
    assert [one.level for one in others] == [2, 2, 3, 3, 3]
    assert sections_of("no heading")[0].level == 0 and sections_of("") == []
    assert [one.title for one in sections_of("> # quoted\n\n# real")] == ["", "real"]


@pytest.mark.parametrize(
    ("html", "word", "expected"),
    [
        ("<p>a p b</p>", "p", "<p>a <mark>p</mark> b</p>"),
        ("x &amp; y", "amp", "x &amp; y"),
        ("x &lt;b&gt; y", "<b>", "x &lt;b&gt; y"),
        ("a.b", ".", "a<mark>.</mark>b"),
    ],
)
def test_marks_are_put_between_tags_alone(html, word, expected):
    assert marked(SafeString(html), [word]) == expected

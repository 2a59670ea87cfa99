"""Reading guidelines: sections, examples for each value, search, what changed."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.safestring import SafeString

from annotation.models import Campaign, Scale
from annotation.services.campaigns import guideline_add
from annotation.services.claiming import claim_next
from annotation.views.guideline_parts import Guide, changes, guide_of
from annotation.views.markdown import marked, sections_of
from tests.factories import make_annotator, make_campaign, rate_sheet
from tests.pages.clients import client_of, text_of

pytestmark = pytest.mark.django_db
TEXT = """\
# How to judge

Read **slowly**, see [the manual].

## Wholly in doubt

Take the lower value.

## Worked examples

### MEANING 5

- *began to* for *started to* & nothing else

### grammar 1: broken

Falls apart.

### MEANING 9

Off the scale, so it stays here.

[the manual]: https://example.org/manual
"""


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(items=2)


def guide(campaign: Campaign, text: str = TEXT, query: str = "") -> Guide:
    scales: list[Scale] = list(campaign.scales.prefetch_related("points"))
    return guide_of(text=text, scales=scales, query=query)


def titles(found: Guide) -> list[str]:
    return [part.title for part in found.parts]


def test_sections_keep_links_whose_target_stands_elsewhere() -> None:
    first, *others = sections_of(TEXT)
    assert 'href="https://example.org/manual"' in first.html
    assert "Read slowly, see the manual." in first.words
    assert [one.level for one in others] == [2, 2, 3, 3, 3]
    assert sections_of("no heading")[0].level == 0 and sections_of("") == []
    assert [one.title for one in sections_of("> # quoted\n\n# real")] == ["", "real"]


def test_examples_stand_beside_the_anchors_of_their_points(campaign: Campaign) -> None:
    found = guide(campaign)
    # A heading that had examples alone goes with them, one with more under it stays.
    assert titles(found) == [
        "How to judge", "Wholly in doubt", "Worked examples", "MEANING 9",
    ]  # fmt: skip
    meaning, grammar = found.tables
    assert [row.value for row in meaning.examples] == [1, 2, 3, 4, 5]
    assert "began to" in meaning.examples[4].html and meaning.examples[4].label == "Same"
    assert "Falls apart." in grammar.examples[0].html and grammar.examples[1].html == ""
    assert [part.title for part in found.contents] == titles(found)[1:]


def test_a_heading_with_examples_alone_goes_with_them(campaign: Campaign) -> None:
    text = "# A\n\n## Examples\n\n### MEANING 5\n\nx\n\n### MEANING 5\n\ny\n\n## B\n\nz"
    found = guide(campaign, text)
    assert titles(found) == ["A", "B"]
    [table] = found.tables
    assert "x" in table.examples[4].html and "y" in table.examples[4].html


@pytest.mark.parametrize("title", ["MEANING", "MEANINGS 5", "MEANING 5th", "MEANING 2.5", "5"])
def test_other_headings_are_headings(campaign: Campaign, title: str) -> None:
    assert guide(campaign, f"## {title}\n\ntext").tables == ()


def test_searching_leaves_what_has_all_words_and_marks_them(campaign: Campaign) -> None:
    found = guide(campaign, query="VALUE lower")
    assert titles(found) == ["Wholly in doubt"] and found.tables == ()
    assert "<mark>lower</mark> <mark>value</mark>" in found.parts[0].html
    found = guide(campaign, query="began")
    assert titles(found) == [] and [row.value for row in found.tables[0].examples] == [5]
    assert guide(campaign, query="nowhere").found == 0


@pytest.mark.parametrize(
    ("html", "word", "expected"),
    [
        ("<p>a p b</p>", "p", "<p>a <mark>p</mark> b</p>"),
        ("x &amp; y", "amp", "x &amp; y"),
        ("x &lt;b&gt; y", "<b>", "x &lt;b&gt; y"),
        ("a.b", ".", "a<mark>.</mark>b"),
    ],
)
def test_marks_are_put_between_tags_alone(html: str, word: str, expected: str) -> None:
    assert marked(SafeString(html), [word]) == expected


def test_changes_by_paragraphs() -> None:
    [first, second] = changes("a\n\nb\n\nc", "a\r\n\r\nB\n \nc\n\nd")
    assert (first.removed, first.added) == (("b",), ("B",))
    assert (second.removed, second.added) == ((), ("d",))
    assert changes("a\n\n\nb\n", "a\n\nb") == []


def versions(campaign: Campaign) -> None:
    """Bob has judged with version 2; version 3 is the newest."""
    guideline_add(campaign=campaign, text=TEXT, actor=None)
    bob = make_annotator(campaign)
    rate_sheet(bob, claim_next(annotator=bob))
    guideline_add(campaign=campaign, text=TEXT.replace("lower", "HIGHER"), actor=None)


def test_annotators_see_what_changed_since_they_began(campaign: Campaign) -> None:
    versions(campaign)
    page = client_of("bob").get("/c/camp/guidelines/")
    text = text_of(page)
    assert "What changed since version 2, with which you began" in text
    assert "Removed: Take the lower value. Added: Take the HIGHER value." in text
    assert "Version 3, " in text and "All versions" not in text
    assert "What changed" not in text_of(client_of("vera").get("/c/camp/guidelines/"))
    # Annotators read the newest alone.
    assert "HIGHER" in text_of(client_of("bob").get("/c/camp/guidelines/?version=1&since=1"))
    assert "since version 2" in text_of(client_of("bob").get("/c/camp/guidelines/?since=1"))


def test_researchers_compare_any_two(campaign: Campaign) -> None:
    versions(campaign)
    dora = client_of("dora")
    page = text_of(dora.get("/c/camp/guidelines/?version=2&since=1"))
    assert "the old version 2" in page and "What changed since version 1" in page
    assert "Changes since 2" in text_of(dora.get("/c/camp/guidelines/"))
    for query in ("since=9", "since=x", "version=0"):
        assert dora.get(f"/c/camp/guidelines/?{query}").status_code == 404


def test_the_search_works_without_scripts(campaign: Campaign) -> None:
    versions(campaign)
    page = text_of(client_of("bob").get("/c/camp/guidelines/?q=higher"))
    assert "1 place has all these words." in page and "How to judge" not in page
    page = text_of(client_of("bob").get("/c/camp/guidelines/?q=%3Cscript%3E"))
    assert "Nothing has all these words." in page


def test_the_fragment_is_the_text_alone(campaign: Campaign) -> None:
    versions(campaign)
    page: Any = client_of("bob").get("/c/camp/guidelines/?fragment=1")
    html = page.content.decode()
    assert "<html" not in html and "<script" not in html and "HIGHER" in html
    assert client_of("charlie").get("/c/camp/guidelines/?fragment=1").status_code == 404


def test_no_guidelines_at_all(campaign: Campaign) -> None:
    campaign.guidelines.all().delete()
    assert "no guidelines yet" in text_of(client_of("bob").get("/c/camp/guidelines/"))
    fragment = client_of("bob").get("/c/camp/guidelines/?fragment=1")
    assert "no guidelines yet" in text_of(fragment)

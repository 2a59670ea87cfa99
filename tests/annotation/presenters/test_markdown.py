"""Texts of researchers as HTML, whole or in sections."""

import pytest
from django.utils.safestring import SafeString

from annotation.http.markdown import marked, sections_of
from tests.annotation.presenters.guides import TEXT

pytestmark = pytest.mark.django_db


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

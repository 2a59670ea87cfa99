"""The instructions: for everybody to read and search, for researchers to write."""

import re

import pytest

from annotation.collecting.claiming import claim_next
from annotation.http.markdown import as_html
from tests.annotation.presenters.guides import TEXT
from tests.clients import client_of, text_of
from tests.factories import add_guideline, make_annotator, make_user, rate_sheet


def versions(campaign):
    """Bob has judged with version 2; version 3 is the newest."""
    add_guideline(campaign, TEXT)
    bob = make_annotator(campaign)
    rate_sheet(bob, claim_next(annotator=bob))
    add_guideline(campaign, TEXT.replace("lower", "HIGHER"))


def test_annotators_see_what_changed_since_they_began(campaign):
    versions(campaign)
    text = text_of(client_of("bob").get("/c/camp/guidelines/"))
    assert "What changed since version 2, the one you started with" in text
    assert "Removed: Take the lower value. Added: Take the HIGHER value." in text
    assert "Version 3, " in text and "All versions" not in text
    assert "What changed" not in text_of(client_of("vera").get("/c/camp/guidelines/"))
    # Annotators read the newest alone.
    page = text_of(client_of("bob").get("/c/camp/guidelines/?version=1&since=1"))
    assert "HIGHER" in page and "since version 2" in page


def test_researchers_compare_any_two(campaign):
    versions(campaign)
    dora = client_of("dora")
    page = text_of(dora.get("/c/camp/guidelines/?version=2&since=1"))
    assert "the old version 2" in page and "What changed since version 1" in page
    assert "Changes since 2" in text_of(dora.get("/c/camp/guidelines/"))
    for query in ("since=9", "since=x", "version=0"):
        assert dora.get(f"/c/camp/guidelines/?{query}").status_code == 404


def test_the_search_works_without_scripts(campaign):
    versions(campaign)
    page = text_of(client_of("bob").get("/c/camp/guidelines/?q=higher"))
    assert "1 passage has all these words." in page and "How to judge" not in page
    page = text_of(client_of("bob").get("/c/camp/guidelines/?q=%3Cscript%3E"))
    assert "Nothing matches all these words." in page


def test_the_fragment_is_the_text_alone(campaign):
    versions(campaign)
    html = client_of("bob").get("/c/camp/guidelines/?fragment=1").content.decode()
    assert "<html" not in html and "<script" not in html and "HIGHER" in html


def test_no_guidelines_at_all(campaign):
    campaign.guidelines.all().delete()
    for query in ("", "?fragment=1"):
        page = client_of("bob").get(f"/c/camp/guidelines/{query}")
        assert "no guidelines yet" in text_of(page)


def test_guidelines_get_new_versions_and_keep_the_old(campaign):
    client = client_of("dora")
    for text in ("# Second\n\n| a | b |\n|---|---|\n| 1 | 2 |", "# Third"):
        client.post("/c/camp/guidelines/", {"text": text})
    assert [one.version for one in campaign.guidelines.all()] == [3, 2, 1]
    assert campaign.guidelines.all()[0].created_by == make_user("dora")
    for name in ("bob", "vera", "dora"):
        page = text_of(client_of(name).get("/c/camp/guidelines/"))
        assert "Third" in page and ("new version" in page) == (name == "dora")
    old = client.get("/c/camp/guidelines/?version=2")
    assert "This is the old version 2." in text_of(old) and b"<td>1</td>" in old.content


@pytest.mark.parametrize(
    "markdown",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "<a href='javascript:x'>y</a>",
        "<img src=x onerror=alert(1)>",
        "![x](https://elsewhere.example/pixel.png)",
        "<style>body{display:none}</style>",
        "<iframe src='//x'></iframe>",
        "<table onclick=alert(1)><tr><td>x</td></tr></table>",
    ],
)
def test_guidelines_carry_nothing_that_runs_or_loads(markdown):
    html = as_html(markdown).lower()
    # What stands between the tags is text, whatever it says.
    tags = " ".join(re.findall(r"<[^>]*>", html))
    for part in ("script", "onerror", "onclick", "<img", "<style", "<iframe"):
        assert part not in tags

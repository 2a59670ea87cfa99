"""The page of gold by every method: its numbers are those of the statistics."""

from tests.clients import client_of, html_of
from tests.factories import add_judgments


def page_of(**query):
    return client_of("vera").get("/c/hand/gold/", query)


def test_gold_page_by_a_method(hand):
    row = {"item": "i1", "paraphrase": "two", "annotator": "judge", "kind": "adjudication"}
    add_judgments(hand, [{**row, "scale": one, "value": 5} for one in ("MEANING", "GRAMMAR")])

    def rows(**query):
        page = page_of(**query)
        return html_of(page), {row["text"].text: row for row in page.context["rows"]}

    _, by_mean = rows()
    passes = [(text, row["pass"]) for text, row in by_mean.items()]
    assert passes == [("one", True), ("two", False), ("three", False)]
    html, adjudicated = rows(method="adjudicated")
    two = adjudicated["two"]
    assert [cell["by"]["value"] for cell in two["cells"]] == [5, 5, 10] and two["pass"]
    assert "adjudicated" in html
    html, majority = rows(method="majority")
    assert majority["two"]["cells"][0]["by"]["value"] is None and "equally frequent" in html

"""The page of gold by every method: its numbers are those of the statistics."""

from paraanno.jobs.engine import job_work
from scoring.models import Report
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


def test_gold_that_needs_all_ratings_waits_for_a_worker_in_a_large_campaign(settings, hand):
    settings.REPORT_ON_THE_SPOT = 3
    assert "being computed" in html_of(page_of(method="mace"))
    report = Report.objects.get(kind="gold-values")
    assert (report.status, report.options) == ("queued", {"method": "mace"})
    job_work("report", report.pk)
    page = page_of(method="mace")
    assert page.context["view"].fresh and len(page.context["rows"]) == 3
    # What looks at one text at a time needs no report.
    assert page_of(method="median").context["view"] is None
    data = {"what": "gold", "format": "csv", "method": "mace"}
    assert client_of("vera").post("/c/hand/exports/new/", data).status_code == 302
    assert hand.export_files.get().options["method"] == "mace"

"""The page of gold by every method: its numbers are those of the statistics."""

from paraanno.jobs.engine import job_work
from scoring.models import Report
from tests.clients import client_of, html_of
from tests.factories import add_judgments, judgment_row
from tests.scoring.selectors.small import numbers, shown, small_campaign


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


# Pages of annotators: their numbers are those of the statistics.


def test_the_table_is_sorted_by_the_address_with_the_undefined_last():
    campaign, client = small_campaign(), client_of("alice")
    add_judgments(
        campaign,
        [judgment_row("i0", "w0 x", "d", 5)],
    )
    r = {code: numbers(campaign, code)["correlation"]["value"] for code in "abcd"}
    assert r["d"] is None
    upwards = sorted("abc", key=lambda code: r[code])
    assert shown(client) == shown(client, sort="nonsense") == ["a", "b", "c", "d"]
    assert shown(client, down=1) == ["d", "c", "b", "a"]
    assert shown(client, sort="correlation") == [*upwards, "d"]
    assert shown(client, sort="correlation", down=1) == [*upwards[::-1], "d"]
    assert shown(client, sort="n_ratings")[0] == "d"
    assert shown(client, scale="GRAMMAR") == ["a", "b", "c"]
    html = html_of(client.get("/c/small/annotators/", {"sort": "severity"}))
    assert 'aria-sort="ascending"' in html
    assert "?scale=MEANING&amp;sort=severity&amp;down=1" in html
    assert f"{numbers(campaign, 'b')['severity']['value']:+.2f}".replace("-", "−") in html

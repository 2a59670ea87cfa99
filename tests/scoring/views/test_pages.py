"""Pages of analysis: that they open whatever there is, and wait for reports."""

import pytest

from annotation.campaigns.services import campaign_create
from annotation.models import Annotator
from annotation.people.exclusions import exclusion_add
from paraanno.jobs.engine import job_work
from scoring.models import Report
from scoring.reports import compute
from tests.clients import client_of, html_of
from tests.factories import make_campaign, make_user
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import PAGES

POLL = {"HX-Request": "true", "X-Report": "fill"}


def test_a_browser_gets_the_frame_at_once_and_then_the_numbers():
    """However short the report: to make it is left to the request that follows."""
    hand_campaign()
    client, browser = client_of("dora"), {"Accept": "text/html,*/*"}
    for address, kind in (
        ("agreement/", "agreement"),
        ("results/", "results"),
        ("annotators/", "annotators"),
        ("gold/?show=methods", "gold"),
        ("agreement/influence/", "influence"),
    ):
        page = html_of(client.get(f"/c/hand/{address}", headers=browser))
        assert "The numbers are being computed" in page and "load delay:300ms" in page, address
        report = Report.objects.get(kind=kind)
        assert report.status == "queued"
        filled = html_of(client.get(f"/c/hand/{address}", headers=browser | POLL))
        report.refresh_from_db()
        assert (report.status, "data-fill" in filled) == ("done", True), address
    # A download waits.
    Report.objects.all().delete()
    chart = client.get("/c/hand/agreement/?chart=alpha.csv", headers=browser)
    assert b"ci_low" in chart.content


@pytest.mark.slow
def test_large_campaigns_wait_for_a_worker(settings):
    campaign, client = hand_campaign(), client_of("dora")
    settings.REPORT_ON_THE_SPOT = 0
    for address in (
        "results/",
        "annotators/",
        f"annotators/{campaign.annotators.get(code='a').key}/",
        "agreement/influence/",
        "agreement/",
    ):
        page = html_of(client.get(f"/c/hand/{address}"))
        assert "The numbers are being computed" in page, address
    assert 'hx-trigger="load delay:300ms"' in page
    report = Report.objects.get(kind="agreement")
    assert report.status == "queued"
    job_work("report", report.pk)
    polled = html_of(client.get("/c/hand/agreement/", headers=POLL | {"X-Report": "offer"}))
    assert "The report is ready." in polled and "load delay" not in polled
    assert "nothing has changed since" in html_of(client.get("/c/hand/agreement/"))
    exclusion_add(target=Annotator.objects.get(code="a"), reason="x", actor=None)
    answer = client.get("/c/hand/agreement/")
    assert "There have been newer judgments or other changes since" in html_of(answer)
    assert answer.context["scales"][0]["numbers"]["n_ratings"] == 7


def test_a_failed_report_says_why(monkeypatch):
    def broken(**_):
        raise ValueError("no such thing")

    monkeypatch.setitem(compute.KINDS, "agreement", broken)
    hand_campaign()
    assert "no such thing" in html_of(client_of("vera").get("/c/hand/agreement/"))


def test_empty_campaign_has_pages():
    campaign_create(actor=make_user("alice"), slug="empty")
    for page in PAGES:
        assert client_of("alice").get(f"/c/empty/{page}/").status_code == 200


@pytest.mark.slow
def test_queries_do_not_grow_with_the_campaign(django_assert_max_num_queries):
    client = client_of("adam")
    for slug, items in (("small", 3), ("large", 40)):
        make_campaign(slug, items=items)
        for page in PAGES:
            client.get(f"/c/{slug}/{page}/")  # the reports are made here
            with django_assert_max_num_queries(40):
                client.get(f"/c/{slug}/{page}/")

"""The administrators' overview: numbers, their course, alerts; a constant number of queries."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.campaigns.services import campaign_create
from annotation.models import Annotator, Campaign, Slot
from paraanno.jobs.engine import job_work
from scoring.models import Look, Report, TrendPoint
from scoring.reports import compute
from scoring.reports.compute import report_get
from tests.clients import client_of, html_of, text_of
from tests.factories import exclude, make_annotator, make_campaign, make_user, rate_all
from tests.scoring.factories import PAGES, done_run
from tests.scoring.hand import hand_campaign
from tests.scoring.selectors.rows import admin_page, row_of


def test_shows_the_alpha_that_fits_the_level_and_warns_below_the_convention(
    hand,
    django_assert_max_num_queries,
):
    report = report_get(campaign=hand, kind="agreement", actor=None)
    expected = report.result["scales"]["MEANING"]["alpha_ordinal"]
    row = row_of(hand)
    first = row.alphas[0]
    assert (first.scale, first.value, first.name, first.low, first.high) == (
        "MEANING",
        expected["value"],
        "alpha_ordinal",
        expected["ci_low"],
        expected["ci_high"],
    )
    assert row.low_alphas == []  # So few phrases have no interval.
    point = TrendPoint.objects.get(campaign=hand, kind="agreement")
    point.numbers["GRAMMAR"][1:3] = [0.1, 0.6]
    point.save()
    assert [one.scale for one in row_of(hand).low_alphas] == ["GRAMMAR"]
    page = admin_page()
    assert f"{expected['value']:.2f}" in page and page.count("below 0.667") == 1
    for number in range(4):
        make_campaign(f"more-{number}", items=1, cast=False)
    client = client_of("adam")
    client.get("/overview/")
    with django_assert_max_num_queries(9):
        assert "more-3" in html_of(client.get("/overview/"))


def test_the_age_of_the_last_backup_is_told(settings, tmp_path):
    assert "No backup is made at night" in admin_page()
    settings.BACKUP_DIR = tmp_path
    assert "There is no backup yet" in admin_page()
    made = tmp_path / (timezone.now() - timedelta(hours=5)).strftime("paraanno-%Y%m%d-%H%M%S")
    made.mkdir()
    assert "There is no backup yet" in admin_page()  # It was cut off.
    (made / "manifest.json").write_text("{}")
    (tmp_path / "last_failure.txt").write_text("the disk <is> full")
    page = admin_page()
    assert "The last backup is 5\xa0hours old" in page
    assert "The last attempt failed: the disk &lt;is&gt; full" in page


def test_a_campaign_without_progress_for_a_week_is_named():
    campaign = make_campaign(items=2)
    assert row_of(campaign).quiet_since is None
    old = timezone.now() - timedelta(days=8)
    Campaign.objects.update(opened_at=old)
    assert row_of(campaign).quiet_since == old
    assert "none was claimed or submitted" in admin_page()
    rate_all(make_annotator(campaign), at_most=1)
    row = row_of(campaign)
    assert row.quiet_since is None and sum(row.per_day) == row.per_day[-1] == 1
    Slot.objects.filter(state=Slot.State.DONE).update(done_at=old)
    Slot.objects.exclude(claimed_at=None).update(claimed_at=old)
    assert row_of(campaign).quiet_since == old
    Campaign.objects.update(status=Campaign.Status.CLOSED, closed_at=timezone.now())
    assert row_of(campaign).quiet_since is None


# The overview of a campaign and its cards: what they show, compute and cost.


def get(address):
    return client_of("vera").get(f"/c/hand/{address}")


def test_looking_at_the_overview_is_no_look_at_comparisons():
    hand_campaign()
    page = html_of(get(""))
    for card in ("agreement", "systems", "metrics"):
        assert f"/c/hand/cards/{card}/" in page
        get(f"cards/{card}/")
    assert set(Report.objects.values_list("kind", flat=True)) == {"agreement"}
    assert not Look.objects.exists()
    assert "Compare systems" in text_of(get("cards/systems/"))


@pytest.mark.slow
def test_cards_show_the_numbers_of_the_reports(hand):
    done_run(hand, {})
    systems = get("results/").context["found"]["systems"]
    get("correlation/")
    drawn = {row.name: row.value for row in get("cards/systems/").context["chart"].rows}
    assert drawn == {name: one["scales"]["MEANING"]["mean"] for name, one in systems.items()}
    agreement = get("cards/agreement/").context["chart"]
    assert {row.name for row in agreement.rows} == {"MEANING", "GRAMMAR"}
    metrics = get("cards/metrics/").context
    assert metrics["stored"].fresh and metrics["runs"] == 1


def test_the_page_asks_few_questions_of_the_database(django_assert_max_num_queries):
    hand_campaign()
    client = client_of("vera")
    client.get("/c/hand/")
    with django_assert_max_num_queries(30):
        client.get("/c/hand/")


def test_one_outcome_is_shown_and_the_choice_is_kept():
    hand_campaign()
    page = get("results/").context["pictures"]
    assert [shown for _, _, shown in page].count(True) == 1
    picture, query, _ = page[-1]
    chosen = get(f"results/?{query}").context["pictures"]
    assert [one.title for one, _, shown in chosen if shown] == [picture.title]


def test_a_metric_stands_beside_the_matrix_with_the_texts_furthest_off():
    done_run(hand_campaign(), {"one": 0.0, "two": 1.0, "three": 2.0})
    page = get("correlation/").context
    [(row, _query)] = page["rows"]
    assert page["chosen"] == row.key
    card = get(f"correlation/beside/?{page['beside']}").context
    assert card["plot"].total == card["points"].total > 0 and card["furthest"]


def test_a_large_report_is_read_after_the_frame(monkeypatch):
    done_run(hand_campaign(), {"one": 0.0, "two": 1.0})
    get("correlation/")
    monkeypatch.setattr(compute, "MANY_RUNS", 0)
    client, address = client_of("dora"), "/c/hand/correlation/"
    frame = html_of(client.get(address, headers={"Accept": "text/html"}))
    assert "data-fill" in frame and "now=1" in frame and "matrix" not in frame
    for query, more in (("", {"HX-Request": "true"}), ("?now=1", {})):
        page = client.get(address + query, headers={"Accept": "text/html", **more})
        assert 'id="matrix"' in html_of(page)


# Pages of analysis: that they open whatever there is, and wait for reports.


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
    exclude(Annotator.objects.get(code="a"), reason="x")
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

"""The administrators' overview: numbers, their course, alerts; a constant number of queries."""

from datetime import timedelta

from django.utils import timezone

from annotation.models import Campaign, Slot
from scoring.reports.compute import report_get
from tests.clients import client_of, html_of
from tests.factories import make_annotator, make_campaign, rate_all
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
    low = [one.scale for one in row.low_alphas]
    assert low == [one.scale for one in row.alphas if one.value < 0.667]
    page = admin_page()
    assert f"{expected['value']:.2f}" in page and page.count("below 0.667") == len(low) > 0
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

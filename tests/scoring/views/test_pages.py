"""Pages of analysis: who may see them, and that their numbers are those of the statistics."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Annotator
from annotation.services.campaigns.campaigns import campaign_create
from annotation.services.people.exclusions import exclusion_add
from scoring.models import Report
from tests.factories import make_campaign, make_user
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import PAGES, login

pytestmark = pytest.mark.django_db


READERS = ["alice", "dora", "vera", "adam"]


@pytest.mark.parametrize(
    ("name", "status"),
    [*((name, 200) for name in READERS), ("bob", 403), ("charlie", 404), ("nobody", 302)],
)
@pytest.mark.parametrize("page", PAGES)
def test_who_may_read(page: str, name: str, status: int) -> None:
    campaign = hand_campaign()
    answer = login(name).get(reverse(page, args=[campaign.slug]))
    assert answer.status_code == status


def test_large_campaigns_wait_for_a_worker(settings: Any) -> None:
    from scoring.services.reports.compute import report_make

    campaign = hand_campaign()
    client = login("vera")
    address = reverse("agreement", args=[campaign.slug])
    settings.REPORT_ON_THE_SPOT = 0
    assert "made by a worker" in client.get(address).content.decode()
    report = Report.objects.get()
    assert report.status == "queued"
    report_make(report_pk=report.pk)
    assert "nothing has changed since" in client.get(address).content.decode()
    exclusion_add(target=Annotator.objects.get(code="a"), reason="x", actor=None)
    answer = client.get(address)
    assert "There have been newer judgments or other changes since" in answer.content.decode()
    assert answer.context["scales"][0]["numbers"]["n_ratings"] == 7


def test_a_failed_report_says_why(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from scoring.services.reports import compute as reports

    def broken(**_: Any) -> dict[str, Any]:
        raise ValueError("no such thing")

    monkeypatch.setitem(reports.KINDS, "agreement", broken)
    campaign = hand_campaign()
    page = login("vera").get(reverse("agreement", args=[campaign.slug])).content.decode()
    assert "no such thing" in page


def test_empty_campaign_has_pages() -> None:
    campaign = campaign_create(actor=make_user("alice"), slug="empty")
    for page in PAGES:
        assert login("alice").get(reverse(page, args=["empty"])).status_code == 200
    assert campaign.items.count() == 0


def test_queries_do_not_grow_with_the_campaign(django_assert_max_num_queries: Any) -> None:
    client = login("adam")
    for slug, items in (("small", 3), ("large", 40)):
        campaign = make_campaign(slug, items=items)
        for page in PAGES:
            client.get(reverse(page, args=[slug]))  # the reports are made here
            with django_assert_max_num_queries(40):
                client.get(reverse(page, args=[slug]))
        assert campaign.items.count() == items


def test_a_fine_scale_shows_intervals_and_a_mean() -> None:
    from scoring.views.results import mean_of, shares_table

    fine = {f"{value}": 0.01 for value in range(1, 101)}
    rows = shares_table([fine, {"1": 0.25, "100": 0.75}])
    assert [name for name, _ in rows][::9] == ["90.1 – 100", "1 – 10.9"]
    assert [round(sum(row[1][at] for row in rows), 9) for at in (0, 1)] == [1, 1]
    assert (rows[0][1][1], rows[-1][1][1]) == (0.75, 0.25)
    assert mean_of({"1": 0.25, "5": 0.75}) == 4
    assert mean_of({"1": 0.0}) is None
    assert shares_table([{"2": 0.5, "10": 0.5}]) == [("10", [0.5]), ("2", [0.5])]

"""The work of the demo's simulated annotators: as much as they do, and when."""

from collections import Counter
from datetime import timedelta

import pytest
from django.db.models import Avg, Count, Q

from annotation.board.counts import people_figures
from annotation.board.queries import alarms_found, board_now
from annotation.campaigns.demo import DAYS, SIMULATED, demo_load
from annotation.campaigns.progress import work_course
from annotation.collecting.own_work import remarks_of
from annotation.models import Annotator, BoardWatch
from annotation.verify import verify
from paraanno import clock


@pytest.mark.slow
@pytest.mark.once  # test_demo.py makes the same campaign on PostgreSQL.
def test_three_weeks_of_work_look_as_if_people_had_done_it_here():
    campaign, _passwords = demo_load()
    check_simulated(campaign)
    check_times(campaign)
    assert verify(campaign=campaign) == []


def check_simulated(campaign):
    """Each annotator judges its share of the items, and lower the more severe it is."""
    assert set(campaign.annotators.values_list("origin", flat=True)) == {Annotator.Origin.SIMULATED}
    found = {
        one.code: one
        for one in campaign.annotators.annotate(
            mean=Avg("judgments__value"),
            items=Count("judgments__substitution__item", distinct=True),
            blank=Count("judgments", filter=Q(judgments__value=None)),
        )
    }
    items = campaign.items.count()
    for one in SIMULATED:
        assert found[one.code].items == round(one.share * items)
        assert (found[one.code].blank > 0) == (one.cannot_judge > 0)
    assert [one.code for one in sorted(SIMULATED, key=lambda one: -one.severity)] == sorted(
        found, key=lambda code: found[code].mean
    )


def check_times(campaign):
    """Three weeks of sittings, each at its own pace, with work that is left and people at it."""
    now = clock.now()
    course = work_course(campaign=campaign)
    days = Counter(at.date() for at, n in course.hours for _ in range(n))
    assert len(days) > 14 and max(days.values()) < course.done / 4
    assert timedelta(days=DAYS - 1) < now - course.hours[0][0] < timedelta(days=DAYS + 2)
    assert course.left and course.forecast() is not None
    assert board_now(campaign=campaign).today and max(at for at, _n in course.hours) <= now
    working = board_now(campaign=campaign).working
    assert {one.code for one in working} == {"sim-strict", "sim-careless"}
    claimed = campaign.slots.filter(state="claimed", lease_expires_at__gt=now)
    assert set(claimed.values_list("annotator__code", flat=True)) == {one.code for one in working}
    figures = people_figures(campaign=campaign, now=now)
    pace = {
        one.code: figures[str(one.pk)]["seconds"] / figures[str(one.pk)]["texts"]
        for one in campaign.annotators.all()
    }
    assert 3 < pace["sim-careless"] < 8 < 15 < pace["sim-fair"] < pace["sim-strict"] < 45
    assert all(sum(one["week"]) and one["recent_texts"] for one in figures.values())
    [fast] = alarms_found(
        campaign=campaign, watch=BoardWatch(campaign=campaign), now=now, numbers={"people": figures}
    )
    assert (fast.kind, fast.annotator) == ("fast", campaign.annotators.get(code="sim-careless").pk)
    assert remarks_of(campaign=campaign).count() > 2
    before = campaign.opened_at
    assert not campaign.audit.filter(at__gt=before).exists() and before < course.hours[0][0]

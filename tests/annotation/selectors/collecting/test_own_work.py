"""An annotator's own page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from annotation.models import JudgmentVersion
from annotation.selectors.collecting.own_work import own_day, own_work, work_of
from annotation.services.collecting.claiming import claim_next
from annotation.services.collecting.saving import Answer, judgment_save
from tests.clients import client_of, text_of
from tests.factories import make_annotator, make_campaign, rate_all, rate_sheet

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def at(*minutes: float) -> list[datetime]:
    return [NOON + timedelta(minutes=one) for one in minutes]


@pytest.mark.parametrize(
    ("times", "minutes", "seconds_each"),
    [
        (at(), 0, None),
        (at(0), 0, None),
        (at(0, 1, 2), 2, 60),
        (at(0, 1, 7, 8), 2, 40),  # six minutes are a pause, and one gap less is work
        (at(0, 5), 5, 300),
    ],
)
def test_work_is_the_time_between_saves_without_pauses(
    times: list[datetime], minutes: int, seconds_each: float | None
) -> None:
    work = work_of(times)
    assert (work.saves, work.minutes, work.seconds_each) == (len(times), minutes, seconds_each)


@pytest.mark.django_db
def test_today_and_the_session_by_the_servers_clock() -> None:
    campaign = make_campaign(items=2, k=1)
    bob = make_annotator(campaign)
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    rate_sheet(bob, sheet)
    pks = list(JudgmentVersion.objects.order_by("pk").values_list("pk", flat=True))
    yesterday = [NOON - timedelta(days=1, minutes=one) for one in (2, 1, 0)]
    today = [*at(-200, -199), *at(-10, -9, -8, -7)]
    times = (yesterday + today)[: len(pks)]
    for pk, time in zip(pks, times, strict=False):
        JudgmentVersion.objects.filter(pk=pk).update(recorded_at=time)
    work = own_work(annotator=bob, now=NOON)
    assert work.recent.saves == len(pks)
    assert work.today.saves == len([one for one in times if one >= NOON - timedelta(hours=12)])
    newest = [one for one in times if one > NOON - timedelta(minutes=30)]
    assert work.session.saves == len(newest)
    assert own_work(annotator=bob, now=NOON + timedelta(hours=1)).session.saves == 0


@pytest.mark.django_db
def test_the_day_in_one_look() -> None:
    campaign = make_campaign(items=2, k=1)
    bob = make_annotator(campaign)
    for value in (4, 5):
        rate_sheet(bob, claim_next(annotator=bob), value)
    versions = list(JudgmentVersion.objects.order_by("pk"))
    first_sheet = versions[: len(versions) // 2]
    for one, time in zip(first_sheet, at(-1500, -1499, -1498, -1497), strict=True):
        JudgmentVersion.objects.filter(pk=one.pk).update(recorded_at=time)
    rest = versions[len(first_sheet) :]
    for one, time in zip(rest, at(-180, -179, -100, -98), strict=True):
        JudgmentVersion.objects.filter(pk=one.pk).update(recorded_at=time)
    slots = bob.slots.order_by("pk")
    for slot, time in zip(slots, at(-1497, -98), strict=True):
        bob.slots.filter(pk=slot.pk).update(done_at=time)
    day = own_day(annotator=bob, work=own_work(annotator=bob, now=NOON), now=NOON)
    assert (day.work.began, day.sheets, day.substitutions, day.cannot) == (at(-180)[0], 1, 2, 0)
    assert (day.work.minutes, day.seconds_each, day.sheets_an_hour) == (3, 90, 20)
    later = NOON + timedelta(days=1)
    empty = own_day(annotator=bob, work=own_work(annotator=bob, now=later), now=later)
    assert (empty.work.began, empty.seconds_each, empty.sheets_an_hour) == (None, None, None)
    assert "Nothing yet today." in text_of(client_of("bob").get("/rate/camp/own/"))


@pytest.mark.django_db
def test_the_queries_do_not_grow(django_assert_max_num_queries) -> None:
    campaign = make_campaign(items=4, k=1)
    bob = make_annotator(campaign)
    rate_all(bob)
    client = client_of("bob")
    asks_the_clock = connection.vendor == "postgresql"
    with django_assert_max_num_queries(19 + 2 * asks_the_clock):
        client.get(f"/rate/{campaign.slug}/own/")


@pytest.mark.django_db
def test_cannot_judge_is_counted_apart() -> None:
    campaign = make_campaign(items=1, k=1)
    bob = make_annotator(campaign)
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    rate_sheet(bob, sheet)
    entry, scale = sheet.entries.first(), campaign.scales.first()
    judgment_save(
        annotator=bob, sheet_key=sheet.key, substitution_key=entry.substitution.key,
        scale_key=scale.key, answer=Answer(reason="broken"), request_id=uuid4(), base_version=1,
        now=timezone.now(),
    )  # fmt: skip
    given = sheet.entries.count() * campaign.scales.count()
    text = text_of(client_of("bob").get(f"/rate/{campaign.slug}/own/"))
    assert f" {given - 1} 1 " in text

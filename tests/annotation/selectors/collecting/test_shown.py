"""What a sheet is shown from, what was said about texts, and the own work of an annotator."""

from dataclasses import fields
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from annotation.collecting.claiming import claim_next
from annotation.collecting.sheets import sheet_get, sheet_view
from annotation.models import JudgmentVersion, Remark, Substitution
from annotation.people.lists import list_write, lists_set
from annotation.sheets.own_work import (
    own_day,
    own_work,
    remarks_of,
    scales_of,
    sheet_with,
    texts_of,
    work_of,
)
from annotation.sheets.sql import (
    ClaimState,
    Waiting,
    at_most_of,
    claim_state,
    list_is_done,
    on_own_list,
    work_lists,
)
from tests.annotation.claimed import say
from tests.clients import captured, client_of, text_of
from tests.factories import make_annotator, make_campaign, open_campaign, rate_all, rate_sheet

COLUMNS = ("pk", "key", "name", "question", "minimum", "maximum", "step", "required", "level")


def test_scales_are_those_of_the_models_and_never_old_ones(campaign):
    def same():
        read, stored = scales_of(campaign.pk), campaign.scales.prefetch_related("points")
        with captured() as queries:
            shown = [row(one) for one in read]
        assert len(queries) == 0
        assert shown == [row(one) for one in stored] and shown[0][-1]

    def row(scale):
        points = [(point.value, point.label, point.anchor) for point in scale.points.all()]
        return [*(getattr(scale, name) for name in COLUMNS), points]

    same()
    first = campaign.scales.all()[0]
    campaign.scales.filter(pk=first.pk).update(name="another", maximum=7, step=0.5)
    first.points.filter(value=1).update(label="lowest")
    same()


def test_texts_come_with_the_annotators_own_answers_alone(place):
    bob, sheet = place
    ben = make_annotator(bob.campaign, "ben")
    assert claim_next(annotator=ben) == sheet
    rate_sheet(bob, sheet, 2)
    rows = texts_of(annotator=bob, sheet=sheet)
    scales = {one.pk for one in bob.campaign.scales.all()}
    assert {(row.value, row.version, row.slot) for row in rows} == {(2, 1, "done")}
    assert {row.scale for row in rows} == scales and len(rows) == 2 * len(scales)
    assert all(row.recorded_at.tzinfo is not None for row in rows)
    others = texts_of(annotator=ben, sheet=sheet)
    assert {(row.scale, row.value, row.slot) for row in others} == {(None, None, "claimed")}
    text = Substitution.objects.order_by("key")[0]
    assert (rows[0].key, rows[0].text) == (text.key, text.text)


def test_a_text_may_stand_in_a_sentence_of_its_own(place):
    bob, sheet = place
    own, other = Substitution.objects.all()
    Substitution.objects.filter(pk=own.pk).update(
        own_sentence="Another one altogether.", own_start=8, own_end=11
    )
    with captured() as queries:
        view = sheet_view(annotator=bob, sheet=sheet_with(sheet.pk))
    assert len(queries) == 4
    assert {one.key: (one.before, one.after) for one in view.substitutions} == {
        own.key: ("Another ", " altogether."),
        other.key: (sheet.item.before, sheet.item.after),
    }


def test_the_newest_on_a_place_stands_and_nothing_is_deleted(place):
    bob, sheet = place
    text = sheet.entries.select_related("substitution").first().substitution
    say(bob, sheet, "odd", about=text.key, flagged=True)
    say(bob, sheet, "the whole item is odd")
    say(bob, sheet, "odd after all", about=text.key)
    assert [one.text for one in remarks_of(campaign=bob.campaign)] == [
        "odd after all",
        "the whole item is odd",
    ]
    view = sheet_view(annotator=bob, sheet=sheet_get(annotator=bob, key=sheet.key))
    assert view.remark.text == "the whole item is odd"
    assert {one.remark.text for one in view.substitutions} == {"odd after all", ""}
    say(bob, sheet, "")
    assert [one.text for one in remarks_of(campaign=bob.campaign)] == ["odd after all"]
    assert Remark.objects.count() == 4


def test_how_far_each_list_is():
    campaign = make_campaign(items=3, open_it=False)
    items = list(campaign.items.order_by("position").values_list("pk", flat=True))
    bob = make_annotator(campaign)
    assert on_own_list(annotator=bob, items=items) == set(items)
    list_write(campaign=campaign, annotator=bob, name="bob", items=items[:2], actor=None)
    list_write(campaign=campaign, annotator=None, name="later", items=items, actor=None)
    lists_set(campaign=campaign, lists="listed", actor=None)
    campaign = open_campaign(campaign)
    bob = campaign.annotators.select_related("campaign").get(pk=bob.pk)
    assert on_own_list(annotator=bob, items=items) == set(items[:2])
    rate_sheet(bob, claim_next(annotator=bob))
    assert not list_is_done(annotator=bob)
    told = [(one.name, one.items, one.done) for one in work_lists(campaign_id=campaign.pk)]
    assert told == [("bob", 2, 1), ("later", 3, 0)]
    rate_all(bob)
    assert list_is_done(annotator=bob)


def test_who_has_just_joined_is_held_back_by_nothing():
    bob = make_annotator(make_campaign(items=1))
    state = claim_state(bob)
    assert state == ClaimState(*[False] * 9, Waiting(*[False] * 5))
    assert len(fields(ClaimState)) == 10
    assert not state.stopped
    assert at_most_of([bob])[bob.pk] is None


PAGE = "/rate/camp/own/"
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def at(*minutes):
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
def test_work_is_the_time_between_saves_without_pauses(times, minutes, seconds_each):
    work = work_of(times)
    assert (work.saves, work.minutes, work.seconds_each) == (len(times), minutes, seconds_each)


def spread(annotator, *times):
    """The annotator's saves, one after the other, at these times."""
    saves = JudgmentVersion.objects.filter(judgment__annotator=annotator).order_by("pk")
    for one, time in zip(saves, times, strict=True):
        JudgmentVersion.objects.filter(pk=one.pk).update(recorded_at=time)


@pytest.fixture
def bob():
    """With two sheets of four answers each."""
    bob = make_annotator(make_campaign(items=2, k=1))
    assert rate_all(bob) == 2
    return bob


def test_today_and_the_session_by_the_servers_clock(bob):
    spread(bob, *at(-1442, -1441, -200, -199, -10, -9, -8, -7))
    work = own_work(annotator=bob, now=NOON)
    assert (work.recent.saves, work.today.saves, work.session.saves) == (8, 6, 4)
    assert own_work(annotator=bob, now=NOON + timedelta(hours=1)).session.saves == 0


def test_the_day_in_one_look(bob):
    spread(bob, *at(-1500, -1499, -1498, -1497, -180, -179, -100, -98))
    for slot, time in zip(bob.slots.order_by("pk"), at(-1497, -98), strict=True):
        bob.slots.filter(pk=slot.pk).update(done_at=time)
    day = own_day(annotator=bob, work=own_work(annotator=bob, now=NOON), now=NOON)
    assert (day.work.began, day.sheets, day.substitutions, day.cannot) == (at(-180)[0], 1, 2, 0)
    assert (day.work.minutes, day.seconds_each, day.sheets_an_hour) == (3, 90, 20)
    later = NOON + timedelta(days=1)
    empty = own_day(annotator=bob, work=own_work(annotator=bob, now=later), now=later)
    assert (empty.work.began, empty.seconds_each, empty.sheets_an_hour) == (None, None, None)
    assert "Nothing yet today." in text_of(client_of("bob").get(PAGE))


def test_the_queries_do_not_grow(bob, django_assert_max_num_queries):
    client = client_of("bob")
    asks_the_clock = connection.vendor == "postgresql"
    with django_assert_max_num_queries(20 + 2 * asks_the_clock):
        client.get(PAGE)

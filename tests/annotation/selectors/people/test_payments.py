"""The payment list is what people did: sheets, active time, pay, floor and bonus."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import JudgmentVersion, Participant
from annotation.panels.queries import (
    COLUMNS,
    active_seconds,
    panels_of,
    pay_of,
    payment_rows,
    payments,
)
from annotation.panels.services import panel_create
from annotation.people.exclusions import exclusion_add
from tests.annotation.services.people.test_entering import enter, make_panel
from tests.factories import rate_all

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def test_active_time_leaves_out_pauses_over_five_minutes():
    minutes = [0, 1, 6, 6.5, 30, 35.01, 36]
    times = [NOON + timedelta(minutes=one) for one in minutes]
    assert active_seconds(times) == round(60 * (1 + 5 + 0.5 + 0.99))
    assert active_seconds([]) == active_seconds(times[:1]) == 0


@pytest.fixture
def panel_parts():
    panel = make_panel(
        pay=Decimal("3.00"),
        pay_floor=Decimal("9.00"),
        bonus=Decimal("0.50"),
        codes={"complete": "C", "failed_checks": "F"},
        currency="EUR",
    )
    parts = [enter(panel, name) for name in ("one", "=two", "three")]
    for part in (parts[0], parts[0], parts[1]):
        rate_all(part.annotator, at_most=1)
    return parts


def test_everybody_who_entered_has_a_line_excluded_people_too(
    panel_parts,
):
    panel = panel_parts[0].panel
    exclusion_add(target=panel_parts[1].annotator, reason="checks", actor=None)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in payment_rows(panel=panel)]
    names = ("id", "outcome", "code", "sheets", "pay", "bonus", "excluded")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("one", "complete", "C", "2", "3.00", "0.50", "no"),
        ("=two", "failed_checks", "F", "1", "1.50", "0.00", "yes"),
        ("three", "in_progress", "", "0", "0.00", "0.00", "no"),
    ]


def test_pay_is_held_against_the_floor_of_the_active_time(panel_parts):
    part = panel_parts[0]
    start = part.annotator.slot_events.earliest("at").at
    Participant.objects.filter(pk=part.pk).update(entered_at=start - timedelta(minutes=5))
    events = list(part.annotator.slot_events.order_by("pk"))
    for minutes, event in zip((0, 5, 5, 10), events, strict=True):
        event.at = start + timedelta(minutes=minutes)
        event.save()
    JudgmentVersion.objects.update(recorded_at=start + timedelta(minutes=1))
    part.refresh_from_db()
    line = pay_of(part)
    assert line.seconds == 15 * 60
    assert (line.earned, line.per_hour) == (Decimal("3.00"), Decimal("12.00"))
    assert (line.top_up, line.below_floor) == (Decimal("0.00"), False)
    part.panel.pay_floor = Decimal("16.00")
    assert pay_of(part).top_up == Decimal("1.00")


def test_a_second_panel_is_paid_for_its_own_sheets(panel_parts):
    part = panel_parts[1]
    more = panel_create(campaign=part.panel.campaign, actor=None, name="More", sheets_per_person=1)
    again = enter(more, "=two")
    rate_all(again.annotator, at_most=1)
    assert {one.part.pk: one.sheets for one in payments(panel=part.panel)}[part.pk] == 1
    line = pay_of(again)
    assert (line.sheets, line.outcome) == (1, "complete")


def test_the_list_takes_a_constant_number_of_queries(panel_parts):
    panel = panel_parts[0].panel
    with CaptureQueriesContext(connection) as three:
        list(payments(panel=panel))
    for number in range(5):
        enter(panel, f"more-{number}")
    with CaptureQueriesContext(connection) as eight:
        list(payments(panel=panel))
    assert len(three) == len(eight) <= 12
    [counted] = panels_of(campaign_id=panel.campaign_id)
    assert (counted.entered, counted.under_way) == (8, 7)  # One part is complete.

"""Hosts whose clocks are wrong agree on what is claimed, and until when."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from annotation.collecting.claiming import claim_next
from annotation.models import Slot
from paraanno import clock
from tests import HOME
from tests.factories import make_annotator, make_campaign

OFF = timedelta(hours=30)


def turn_clock(monkeypatch):
    """Make the clock of this host wrong; by how much `clock.now` is. SQLite has only one host."""
    right = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: right() + OFF)
    return timedelta(0) if connection.vendor == "postgresql" else OFF


@pytest.mark.django_db
def test_a_host_with_a_wrong_clock_takes_no_sheet_from_its_annotator(
    monkeypatch,
):
    campaign = make_campaign(items=1, k=1, lease_minutes=60)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    sheet = claim_next(annotator=bob)
    right = not turn_clock(monkeypatch)
    assert (claim_next(annotator=ben) is None) == right
    holder = bob if right else ben
    assert Slot.objects.get(sheet=sheet, state="claimed").annotator == holder


@pytest.mark.django_db
def test_times_come_from_the_database(monkeypatch):
    wrong = turn_clock(monkeypatch)
    before = clock.now()
    assert before.tzinfo is not None and clock.now() >= before
    assert abs(timezone.now() - OFF + wrong - before) < timedelta(minutes=1)


def test_services_and_selectors_ask_no_other_clock():
    """Display and the API's session may; what is stored or compared with stored times may not."""
    asked = [
        str(path.relative_to(HOME))
        for app in ("annotation", "scoring")
        for path in (HOME / app).rglob("*.py")
        if "migrations" not in path.parts
        if path != HOME / "scoring/models/runs.py"  # How long a run took, for display.
        if not path.stem.endswith(("views", "api", "routes")) and "http" not in path.parts
        if re.search(r"timezone\.now\(|datetime\.now\(", path.read_text("utf-8"))
    ]
    assert asked == []

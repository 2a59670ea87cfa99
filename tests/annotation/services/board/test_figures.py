"""Figures are computed when something changed, and workers are asked in turn."""

from datetime import timedelta

import pytest

from annotation.board import figures
from annotation.board.figures import boards_ask, figures_get, figures_make
from annotation.models import BoardFigures, Slot
from paraanno import clock
from paraanno.jobs import engine
from tests.factories import (
    close_campaign,
    exclude,
    make_annotator,
    make_campaign,
    rate_all,
)


@pytest.fixture
def campaign():
    return make_campaign("one", items=2)


@pytest.fixture
def draft():
    return make_campaign("two", items=1, open_it=False)


@pytest.fixture
def sent(monkeypatch):
    """What a worker is asked for, which is there."""
    tasks = []
    worker = engine.Workers(lambda task, pk: tasks.append((task, pk)), lambda: True)
    monkeypatch.setattr(engine, "_registered", [worker])
    return tasks


def asked_before(*, running=False, **ago):
    """How many boards are asked for so long after the last time, whose look has ended or not."""
    then = clock.now() - timedelta(**ago)
    BoardFigures.objects.update(asked_at=then, made_at=None if running else then)
    return boards_ask()


def test_nothing_is_computed_where_nothing_changed(campaign, monkeypatch):
    made = []
    monkeypatch.setattr(figures, "MAKERS", [lambda one: made.append(one.slug) or {"more": 1}])
    rate_all(make_annotator(campaign), at_most=1)
    assert figures_make(campaign=campaign).numbers["more"] == 1
    again = figures_make(campaign=campaign)
    assert made == ["one"] and again.numbers["texts"]["begun"] > 0
    rate_all(make_annotator(campaign), at_most=1)
    figures_make(campaign=campaign)
    assert made == ["one"] * 2


def test_small_campaigns_do_not_wait_for_a_worker(campaign, monkeypatch):
    def made_at(done=0):
        made = figures_get(campaign=campaign, done=done)
        return made and made.made_at

    assert made_at(figures.SMALL + 1) is None
    first = made_at()
    assert first is not None and made_at() == first
    monkeypatch.setattr(figures, "FRESH_AT_ONCE", timedelta(0))
    assert made_at() > first


def test_where_a_worker_looks_a_page_writes_nothing(campaign, draft, monkeypatch):
    alive = [True]
    worker = engine.Workers(lambda task, pk: None, lambda: alive[0])
    monkeypatch.setattr(engine, "_registered", [worker])
    assert figures_get(campaign=campaign, done=0) is None
    assert figures_get(campaign=draft, done=0) is not None  # No worker looks at drafts.
    alive[0] = False
    assert figures_get(campaign=campaign, done=0) is not None


def test_news_of_a_small_campaign_is_looked_at_after_a_minute(campaign, sent, monkeypatch):
    bob = make_annotator(campaign)
    assert boards_ask() == 1
    assert asked_before(minutes=2) == 0
    rate_all(bob, at_most=1)
    assert [asked_before(minutes=n) for n in (0, 2)] == [0, 1]
    monkeypatch.setattr(figures, "SMALL", 0)
    assert [asked_before(minutes=n) for n in (2, 6)] == [0, 1]
    monkeypatch.setattr(figures, "SMALL", 1000)
    Slot.objects.filter(state="done").update(done_at=clock.now() - timedelta(hours=1))
    close_campaign(campaign)
    assert asked_before(minutes=2) == 0
    exclude(bob)
    assert asked_before(minutes=2) == 1


def test_one_worker_asks_for_each_board_whose_time_has_come(campaign, draft, sent, monkeypatch):
    assert boards_ask() == 1 and boards_ask() == 0
    assert sent == [(figures.TASK, campaign.pk)]
    assert not BoardFigures.objects.filter(campaign=draft).exists()
    assert asked_before(minutes=6) == 1
    # A look that takes long is not asked for again, but where its worker must have been killed.
    assert [asked_before(minutes=n, running=True) for n in (6, 19, 21)] == [0, 0, 1]
    close_campaign(campaign)
    assert [asked_before(minutes=n) for n in (6, 61)] == [0, 1]
    monkeypatch.setattr(engine, "_registered", [])
    assert asked_before(minutes=61) == 0

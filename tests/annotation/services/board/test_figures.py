"""Figures are computed when something changed, and workers are asked in turn."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.models import BoardFigures, Slot
from annotation.services import background
from annotation.services.board import figures
from annotation.services.board.figures import boards_ask, figures_get, figures_make
from annotation.services.campaigns.campaigns import campaign_close
from annotation.services.people.exclusions import exclusion_add
from paraanno import clock
from tests.factories import (
    add_judgments,
    make_annotator,
    make_campaign,
    make_user,
    rate_all,
)

pytestmark = pytest.mark.django_db


def test_nothing_is_computed_where_nothing_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, asked = make_campaign(items=2), []
    monkeypatch.setattr(figures, "MAKERS", [lambda one: asked.append(one.slug) or {"more": 1}])
    rate_all(make_annotator(campaign), at_most=1)
    assert figures_make(campaign=campaign).numbers["more"] == 1
    again = figures_make(campaign=campaign)
    assert asked == ["camp"] and again.numbers["texts"]["begun"] > 0
    rate_all(make_annotator(campaign), at_most=1)
    figures_make(campaign=campaign)
    assert asked == ["camp"] * 2


def test_small_campaigns_do_not_wait_for_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_campaign(items=1)
    assert figures_get(campaign=campaign, done=figures.SMALL + 1) is None
    made = figures_get(campaign=campaign, done=0)
    assert made is not None and made.made_at is not None
    same = figures_get(campaign=campaign, done=0)
    assert same is not None and same.made_at == made.made_at
    monkeypatch.setattr(figures, "FRESH_AT_ONCE", timedelta(0))
    newer = figures_get(campaign=campaign, done=0)
    assert newer is not None and newer.made_at is not None and newer.made_at > made.made_at


def test_where_a_worker_looks_a_page_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, draft = make_campaign("one", items=1), make_campaign("two", items=1, open_it=False)
    alive = [True]
    known = background.Background(lambda task, pk: None, lambda: "me", lambda: alive[0])
    monkeypatch.setattr(background, "_known", [known])
    assert figures_get(campaign=campaign, done=0) is None
    assert figures_get(campaign=draft, done=0) is not None  # No worker looks at drafts.
    alive[0] = False
    assert figures_get(campaign=campaign, done=0) is not None


def test_a_page_does_not_read_many_judgments_without_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    campaign, draft = make_campaign("one", items=1), make_campaign("two", items=1, open_it=False)
    rows = [{"item": "item-0", "paraphrase": "system 0 paraphrase 0", "annotator": name,
             "scale": "MEANING", "value": 4} for name in ("A", "B")]  # fmt: skip
    for one in (campaign, draft):
        add_judgments(one, rows)
    monkeypatch.setattr(figures, "FEW", 1)
    assert figures_get(campaign=campaign, done=0) is None
    assert figures_get(campaign=draft, done=0) is not None
    monkeypatch.setattr(figures, "FEW", 2)
    assert figures_get(campaign=campaign, done=0) is not None


def test_news_of_a_small_campaign_is_looked_at_after_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = background.Background(lambda task, pk: None, lambda: "me", lambda: True)
    monkeypatch.setattr(background, "_known", [known])
    campaign = make_campaign(items=2)
    bob = make_annotator(campaign)
    assert boards_ask() == 1

    def due(minutes: int = 2) -> int:
        BoardFigures.objects.update(asked_at=clock.now() - timedelta(minutes=minutes))
        return boards_ask()

    assert due() == 0
    rate_all(bob, at_most=1)
    assert due(0) == 0 and due() == 1
    monkeypatch.setattr(figures, "SMALL", 0)
    assert due() == 0 and due(6) == 1
    monkeypatch.setattr(figures, "SMALL", 1000)
    Slot.objects.filter(state="done").update(done_at=clock.now() - timedelta(hours=1))
    campaign_close(campaign=campaign, actor=make_user("alice"))
    assert due() == 0
    exclusion_add(target=bob, reason="too fast", actor=make_user("alice"))
    assert due() == 1


def test_one_worker_asks_for_each_board_whose_time_has_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[tuple[str, int]] = []
    known = background.Background(
        lambda task, pk: sent.append((task, pk)), lambda: "me", lambda: True
    )
    monkeypatch.setattr(background, "_known", [known])
    campaign, draft = make_campaign("one", items=1), make_campaign("two", items=1, open_it=False)
    assert boards_ask() == 1 and boards_ask() == 0
    assert sent == [(figures.TASK, campaign.pk)]
    assert not BoardFigures.objects.filter(campaign=draft).exists()

    def asked_before(by: timedelta) -> None:
        BoardFigures.objects.update(asked_at=clock.now() - by)

    asked_before(timedelta(minutes=6))
    assert boards_ask() == 1
    campaign_close(campaign=campaign, actor=make_user("alice"))
    asked_before(timedelta(minutes=6))
    assert boards_ask() == 0
    asked_before(timedelta(minutes=61))
    assert boards_ask() == 1
    monkeypatch.setattr(background, "_known", [])
    asked_before(timedelta(minutes=61))
    assert boards_ask() == 0

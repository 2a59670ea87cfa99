"""A program that runs wild is stopped; a person, and a queue after an outage, never."""

from __future__ import annotations

import time
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from annotation.api.collecting import throttles
from annotation.models import Annotator, Judgment, JudgmentVersion, Sheet
from annotation.services.collecting.claiming import claim_next
from tests.annotation.api.collecting.place import Place
from tests.annotation.api.conftest import Login
from tests.factories import make_annotator, make_campaign
from tests.own_redis import OwnRedis, cached_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A clock that stands still at the beginning of a minute."""

    class Clock:
        now = 1_800_000_000.0

        def time(self) -> float:
            return self.now

    standing = Clock()
    monkeypatch.setattr(throttles, "time", standing)
    return standing


def held(name: str) -> tuple[Annotator, Sheet]:
    annotator = make_annotator(make_campaign(f"camp-{name}", items=1, cast=False), name)
    sheet = claim_next(annotator=annotator)
    assert sheet is not None
    return annotator, sheet


def save(client: APIClient, annotator: Annotator, sheet: Sheet, version: int) -> Any:
    substitution = sheet.entries.order_by("pk")[0].substitution.key
    scale = annotator.campaign.scales.all()[0].key
    address = f"/api/v1/sheets/{sheet.key}/judgments/{substitution}/{scale}"
    body = {
        "id": str(uuid4()), "annotator": str(annotator.key), "base_version": version,
        "value": 1 + version % 5,
    }  # fmt: skip
    return client.put(address, body)


def test_beyond_the_figure_a_save_is_refused_until_the_next_minute(
    login: Login, settings: Any, clock: Any
) -> None:
    settings.SHEET_REQUESTS_PER_MINUTE = 3
    bob, sheet = held("bob")
    client = login("bob")
    answers = [save(client, bob, sheet, number) for number in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[3].json()["code"] == "throttled"
    assert answers[3]["Retry-After"] == "60"
    assert Judgment.objects.get(annotator=bob).version == 3
    assert client.get("/api/v1/me").status_code == 429
    assert client.post(f"/api/v1/campaigns/{bob.campaign.slug}/claim").status_code == 429
    ben, other = held("ben")
    assert save(login("ben"), ben, other, 0).status_code == 200
    clock.now += throttles.WINDOW
    assert save(client, bob, sheet, 3).status_code == 200


def test_whole_sheets_count_among_the_requests_of_a_user(settings: Any, clock: Any) -> None:
    settings.SHEET_REQUESTS_PER_MINUTE = 2
    place = Place()
    one, two, three, _ = place.answers()
    assert [place.whole([given]).status_code for given in (one, two, three)] == [200, 200, 429]
    assert Judgment.objects.count() == 2
    clock.now += throttles.WINDOW
    assert place.whole([three]).status_code == 200


def test_hundreds_of_saves_at_once_are_all_taken(login: Login, clock: Any, settings: Any) -> None:
    """That a figure is kept to is tested above; nobody else counts these saves."""
    assert settings.SHEET_REQUESTS_PER_MINUTE >= 500
    bob, sheet = held("bob")
    client = login("bob")
    codes = {save(client, bob, sheet, number).status_code for number in range(130)}
    assert codes == {200}
    assert JudgmentVersion.objects.count() == 130


@pytest.mark.once  # The statements are those of the saves above.
@pytest.mark.service("redis")
def test_saves_go_on_while_redis_is_frozen_and_after_it_was_killed(
    login: Login, settings: Any, own_redis: OwnRedis
) -> None:
    settings.CACHES = cached_at(own_redis.url)
    bob, sheet = held("bob")
    client = login("bob")
    assert save(client, bob, sheet, 0).status_code == 200
    own_redis.freeze()
    began = time.monotonic()
    codes = {save(client, bob, sheet, number).status_code for number in range(1, 31)}
    # One of them waits for Redis, 40 ms. Before, each waited for ever.
    assert codes == {200} and time.monotonic() - began < 20
    own_redis.kill()
    codes = {save(client, bob, sheet, number).status_code for number in range(31, 61)}
    assert codes == {200} and Judgment.objects.get(annotator=bob).version == 61

"""A program that runs wild is stopped; a person, and a queue after an outage, never."""

import time

import pytest

from annotation.http import routes
from annotation.models import Judgment
from tests.annotation.place import Place, logged_in, refusal
from tests.factories import make_annotator
from tests.own_redis import cached_at


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still at the beginning of a minute."""

    class Clock:
        now = 1_800_000_000.0

        def time(self):
            return self.now

    standing = Clock()
    monkeypatch.setattr(routes, "time", standing)
    return standing


def test_beyond_the_figure_a_save_is_refused_until_the_next_minute(settings, clock):
    settings.SHEET_REQUESTS_PER_MINUTE = 3
    place = Place()
    *taken, last = (place.put(value=1 + number, base_version=number) for number in range(4))
    assert [answer.status_code for answer in taken] == [200] * 3
    assert refusal(last) == (429, "throttled") and last["Retry-After"] == "60"
    assert Judgment.objects.get().version == 3
    assert place.client.get("/api/v1/me").status_code == 429
    assert place.client.post(f"/api/v1/campaigns/{place.campaign.slug}/claim").status_code == 429
    make_annotator(place.campaign, "ben")
    assert refusal(place.put(logged_in("ben"))) == (403, "wrong_annotator"), "not throttled"
    clock.now += routes.WINDOW
    assert place.put(value=5, base_version=3).status_code == 200


def test_whole_sheets_count_among_the_requests_of_a_user(settings, clock):
    settings.SHEET_REQUESTS_PER_MINUTE = 2
    place = Place()
    one, two, three, _ = place.answers()
    assert [place.whole([given]).status_code for given in (one, two, three)] == [200, 200, 429]
    assert Judgment.objects.count() == 2
    clock.now += routes.WINDOW
    assert place.whole([three]).status_code == 200


def save(place, numbers):
    """Change one value again and again; the answers' codes."""
    return {place.put(value=1 + one % 5, base_version=one).status_code for one in numbers}


@pytest.mark.once  # The statements are those of the saves above.
@pytest.mark.service("redis")
@pytest.mark.django_db
def test_saves_go_on_while_redis_is_frozen_and_after_it_was_killed(settings, own_redis):
    settings.CACHES = cached_at(own_redis.url)
    place = Place()
    assert save(place, range(1)) == {200}
    own_redis.freeze()
    began = time.monotonic()
    # One of them waits for Redis, 40 ms. Before, each waited for ever.
    assert save(place, range(1, 31)) == {200} and time.monotonic() - began < 20
    own_redis.kill()
    assert save(place, range(31, 61)) == {200} and Judgment.objects.get().version == 61

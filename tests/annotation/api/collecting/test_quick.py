"""The short way past the framework answers as the long one does."""

from datetime import timedelta

import pytest
from django.db import connection

from annotation.accounts import login
from annotation.collecting import claiming, whole_sheet_api
from annotation.models import Slot
from paraanno import clock
from tests.annotation.place import Place
from tests.clients import captured

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_answer_is_that_of_the_long_way(long_way, monkeypatch):
    place = Place(items=3)
    quick = place.whole(place.answers(), state="done", next=True)
    assert long_way == []
    place.campaign.judgments.all().delete()
    Slot.objects.filter(annotator=place.bob, state="done").update(
        state="claimed", done_at=None, lease_expires_at=clock.now() + timedelta(hours=1)
    )
    monkeypatch.setattr(whole_sheet_api, "fast_put", lambda request, sheet: None)
    slow = place.whole(place.answers(), state="done", next=True)
    assert len(long_way) == 1
    assert slow["Content-Type"] == quick["Content-Type"]

    def plain(answer):
        data = answer.json()
        for one in data["answers"]:
            assert one.pop("id") and one.pop("recorded_at").endswith("Z")
        return data

    assert plain(slow) == plain(quick)


def test_a_login_survives_a_new_secret_key(long_way, settings):
    place = Place(items=2)
    before = settings.SECRET_KEY
    login.login_in.cache_clear()  # As in the process that starts with the new key.
    login._hash_of.cache_clear()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new one" * 9, [before]
    answer = place.whole(place.answers(), state="done", next=True)
    assert (answer.status_code, answer.json()["state"]) == (200, "done")
    assert len(long_way) == 1  # Once: Django then signs the session anew.
    settings.SECRET_KEY_FALLBACKS = []
    assert place.client.get("/api/v1/campaigns/camp/progress/own").status_code == 200
    login._hash_of.cache_clear()


def test_few_statements(monkeypatch):
    # One who begins behind the last free slot asks once more, from the first.
    monkeypatch.setattr(claiming, "starting_point", lambda **_: 0)
    place = Place(items=2)
    sent = place.answers()
    first, again = {"postgresql": (3, 10), "sqlite": (6, 11)}[connection.vendor]
    # Of a repetition one finds the account and the sheet, and one what was stored; the rest claims
    # the next sheet and shows it.
    for following, most in ((False, first), (False, 2), (True, again)):
        with captured() as queries:
            answer = place.whole(sent, state="done", next=following)
        assert answer.json()["state"] == "done"
        asked = [one["sql"] for one in queries if not one["sql"].startswith(("BEGIN", "COMMIT"))]
        assert len(asked) <= most, asked

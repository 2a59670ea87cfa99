"""A login counts as it is stored now, although its decoding is kept."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from annotation.models import Judgment
from paraanno import clock
from tests.annotation.place import Place, logged_in
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db(transaction=True)


def test_no_session_and_one_that_ended():
    place = Place()
    assert place.whole(place.answers(), client=Client()).status_code == 401
    place.whole(place.answers()[:1])
    Session.objects.update(expire_date=clock.now() - timedelta(seconds=1))
    assert place.whole(place.answers()[1:]).status_code == 401
    assert Judgment.objects.count() == 1


@pytest.mark.parametrize("change", [{"is_active": False}, {"password": "md5$salt$another"}])
def test_a_login_counts_as_the_account_is_stored(change):
    """Also if the row was changed past the service that ends sessions."""
    place = Place()
    assert place.whole(place.answers()[:1]).status_code == 200
    User.objects.filter(pk=place.bob.user_id).update(**change)
    answer = place.whole(place.answers()[1:], state="done")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
    assert Judgment.objects.count() == 1


def test_another_persons_key():
    place = Place()
    ben = make_annotator(place.campaign, "ben").user
    ben.password = place.bob.user.password  # Not even with the same one, as it is stored.
    ben.save()
    answer = place.whole(place.answers(), client=logged_in("ben"), state="done")
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_annotator")
    assert not Judgment.objects.exists()

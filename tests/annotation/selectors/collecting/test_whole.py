"""Whose slot a whole save finds."""

import pytest

from annotation.campaigns.services import campaign_pause
from annotation.models import Judgment
from tests.annotation.api.collecting.place import Place, logged_in
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db(transaction=True)


def test_another_persons_key():
    place = Place()
    ben = make_annotator(place.campaign, "ben").user
    ben.password = place.bob.user.password  # Not even with the same one, as it is stored.
    ben.save()
    answer = place.whole(place.answers(), client=logged_in("ben"), state="done")
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_annotator")
    assert not Judgment.objects.exists()


def test_a_sheet_never_held():
    place = Place()
    ben = make_annotator(place.campaign, "ben")
    answer = place.whole(place.answers(), client=logged_in("ben"), annotator=str(ben.key))
    assert answer.status_code == 404
    assert not Judgment.objects.exists()


def test_a_paused_campaign_takes_the_sheet(long_way):
    place = Place()
    campaign_pause(campaign=place.campaign, actor=None)
    assert place.whole(place.answers(), state="done").json()["state"] == "done"
    assert long_way == []


def test_an_annotator_who_became_a_viewer():
    place = Place()
    place.campaign.memberships.filter(user=place.bob.user).update(role="viewer")
    answer = place.whole(place.answers(), state="done")
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_annotator")
    assert not Judgment.objects.exists()

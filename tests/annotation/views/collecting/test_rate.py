"""The rating screen as pages and plain forms, without JavaScript."""

from annotation.models import Judgment, JudgmentVersion, Skip
from annotation.people.membership import membership_set
from tests.annotation.api.collecting.place import Place
from tests.clients import client_of
from tests.factories import make_annotator, make_user


def page_of(place):
    return f"/rate/{place.campaign.slug}/{place.sheet.key}/"


def form_of(answers):
    """The fields that give 3 to each of these questions."""
    form = {}
    for one in answers:
        name = f"{one['substitution']}.{one['scale']}"
        form |= {f"value.{name}": "3", f"base.{name}": "0", f"id.{name}": one["id"]}
    return form


def test_the_plain_form_saves_submits_and_goes_on():
    """Without JavaScript; sent twice it saves once."""
    place = Place()
    form = form_of(place.answers())
    first, _ = (place.client.post(page_of(place), form) for _ in range(2))
    assert first.status_code == 302 and first["Location"] != page_of(place)
    assert JudgmentVersion.objects.count() == 4
    assert set(Judgment.objects.values_list("value", "status")) == {(3.0, "counted")}


def test_a_conflict_in_the_plain_form_is_shown_and_loses_nothing():
    """An answer that the form did not change is not sent: another window may have changed it."""
    place = Place()
    place.put(value=5)
    form = form_of(place.answers()[:1])
    answer = place.client.post(page_of(place), form)
    assert answer.status_code == 409
    assert b"<strong>3</strong>" in answer.content and b"<strong>5</strong>" in answer.content
    unchanged = {name.replace("value.", "was."): value for name, value in form.items()}
    assert place.client.post(page_of(place), form | unchanged).status_code == 200
    assert Judgment.objects.get().value == 5


def test_only_members_who_have_begun_have_a_sheet():
    place = Place()
    make_annotator(place.campaign, "ben")
    membership_set(campaign=place.campaign, user=make_user("eve"), role="annotator", actor=None)
    for name, code in (("bob", 200), ("ben", 404), ("eve", 404)):
        assert client_of(name).get(page_of(place)).status_code == code


def test_a_sheet_is_claimed_by_a_click_and_given_back_with_a_reason():
    place = Place()
    start = f"/rate/{place.campaign.slug}/"
    ben, slots = client_of("ben"), make_annotator(place.campaign, "ben").slots
    assert ben.get(start).status_code == 200 and not slots.exists()
    claimed = ben.post(start)["Location"]
    assert slots.get().state == "claimed"
    # Nothing else is left for Ben: Bob holds the other sheet.
    assert ben.post(claimed, {"skip": "not understood"})["Location"] == start
    assert Skip.objects.get().reason == "not understood"
    assert ben.post(start).status_code == 200

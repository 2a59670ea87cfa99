"""The same id is the same annotator, whatever happens at once; seats are bounded."""

import pytest
from django.contrib.auth.models import User

from annotation.accounts import login
from annotation.accounts.login import entry_count
from annotation.campaigns.services import campaign_close
from annotation.collecting.claiming import PartOver
from annotation.errors import Conflict, Invalid, TooManyFailures
from annotation.models import Annotator, AuditEntry, Participant
from annotation.panels.participation import ids_erase, panel_enter
from annotation.panels.services import panel_close, panel_create, panel_update
from paraanno import clock
from tests.annotation.services.collecting.claimed import offer
from tests.annotation.services.together import together, unforeseen
from tests.factories import make_campaign, rate_all


def make_panel(**fields):
    campaign = make_campaign(items=4, k=2, cast=False)
    given = {"name": "Crowd", "sheets_per_person": 2, **fields}
    return panel_create(campaign=campaign, actor=None, **given)


def enter(panel, platform_id="one", **more):
    return panel_enter(panel=panel, platform_id=platform_id, **more)


@pytest.mark.django_db(transaction=True)
def test_an_id_that_enters_many_times_at_once_is_one_annotator():
    panel = make_panel(max_participants=3)
    names = ["one", "two", "three", "four"] * 4
    assert unforeseen(together([lambda n=n: enter(panel, n) for n in names])) == []
    assert Participant.objects.count() == Annotator.objects.count() == 4
    assert Participant.objects.filter(quota=2, outcome="").count() == 3
    assert Participant.objects.filter(quota=0, outcome="quota_full").count() == 1


@pytest.mark.django_db(transaction=True)
def test_claims_of_one_person_at_once_stay_within_the_quota():
    part = enter(make_panel())
    sheets = set()
    for _ in range(3):
        claims = together([lambda beside=tuple(sheets): offer(part.annotator, *beside)] * 6)
        assert unforeseen(claims) == []
        sheets |= {one for one in claims if hasattr(one, "key")}
    assert len(sheets) == 2


def test_a_person_is_a_login_without_password_whose_name_tells_nothing():
    part = enter(make_panel(), "5f1e", submission_id="sub-1")
    user = part.annotator.user
    assert not user.has_usable_password()
    assert part.annotator.origin == "participant"
    assert "5f1e" not in user.username + part.annotator.code
    for entry in AuditEntry.objects.all():
        assert "5f1e" not in f"{entry.data}{entry.about}{entry.object_id}"
    again = enter(part.panel, " 5f1e ", submission_id="sub-2")
    assert (again.pk, again.submission_id) == (part.pk, "sub-2")
    assert User.objects.filter(username__startswith="panel-").count() == 1


def test_ids_off_the_pattern_are_refused():
    panel = make_panel(id_pattern="[0-9a-f]{4}")
    for wrong in ("", "5f1", "5f1g", "{{%PROLIFIC_PID%}}"):
        with pytest.raises(Invalid):
            enter(panel, wrong)
    assert not Participant.objects.exists()


def test_a_seat_that_becomes_free_is_given_to_who_comes_again():
    panel = make_panel(max_participants=1)
    enter(panel)
    second = enter(panel, "two")
    assert second.outcome == "quota_full"
    with pytest.raises(PartOver):
        offer(second.annotator)
    panel_update(panel=panel, actor=None, max_participants=2)
    second = enter(panel, "two")
    assert (second.outcome, second.quota) == ("", 2)
    assert offer(second.annotator) is not None


def test_who_enters_a_second_panel_is_the_same_annotator_with_new_sheets():
    part = enter(make_panel())
    for _ in range(2):
        rate_all(part.annotator, at_most=1)
    more = panel_create(campaign=part.panel.campaign, actor=None, name="B", sheets_per_person=1)
    second = enter(more)
    assert (second.annotator_id, second.sheets_before) == (part.annotator_id, 2)
    part.refresh_from_db()
    assert part.outcome == "complete"
    rate_all(second.annotator, at_most=1)
    with pytest.raises(PartOver) as over:
        offer(second.annotator)
    assert over.value.code == "complete"


def test_a_closed_panel_has_no_seats_and_an_erased_one_lets_nobody_in():
    panel = make_panel()
    enter(panel, submission_id="s")
    panel = panel_close(panel=panel, closed=True, actor=None)
    assert enter(panel, "two").outcome == "quota_full"
    assert ids_erase(panel=panel, now=clock.now(), actor=None) == 2
    assert set(Participant.objects.values_list("platform_id", "submission_id")) == {("", "")}
    with pytest.raises(Conflict):
        enter(panel)


def test_a_closed_campaign_is_full():
    panel = make_panel()
    campaign_close(campaign=panel.campaign, actor=None)
    assert enter(panel).outcome == "quota_full"


def test_entries_have_a_count_of_their_own(monkeypatch):
    monkeypatch.setattr(login, "ENTRIES_PER_ADDRESS", 3)
    monkeypatch.setattr(login.time, "time", lambda: 1_000_000.0)
    for address in ("198.51.100.7",) * 3 + ("198.51.100.8",):
        entry_count(address=address)
    with pytest.raises(TooManyFailures):
        entry_count(address="198.51.100.7")

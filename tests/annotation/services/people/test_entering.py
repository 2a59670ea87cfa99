"""The same id is the same annotator, whatever happens at once; seats are bounded."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from annotation.errors import Conflict, Invalid, TooManyFailures
from annotation.models import Annotator, AuditEntry, Panel, Participant
from annotation.services.campaigns.campaigns import campaign_close
from annotation.services.collecting.claiming import PartOver, claim_next
from annotation.services.people import entering
from annotation.services.people.entering import entry_count, panel_enter
from annotation.services.people.panels import panel_close, panel_create, panel_update
from annotation.services.people.parts import ids_erase
from paraanno import clock
from tests.annotation.services.together import together, unforeseen
from tests.factories import make_campaign, rate_sheet


def make_panel(**fields: Any) -> Panel:
    campaign = make_campaign(items=4, k=2, cast=False)
    given: dict[str, Any] = {"name": "Crowd", "sheets_per_person": 2, **fields}
    return panel_create(campaign=campaign, actor=None, **given)


@pytest.mark.django_db(transaction=True)
def test_an_id_that_enters_many_times_at_once_is_one_annotator() -> None:
    panel = make_panel(max_participants=3)
    names = ["one", "two", "three", "four"] * 4
    found = together([lambda n=n: panel_enter(panel=panel, platform_id=n) for n in names])
    assert unforeseen(found) == []
    assert Participant.objects.count() == Annotator.objects.count() == 4
    assert Participant.objects.filter(quota=2, outcome="").count() == 3
    assert Participant.objects.filter(quota=0, outcome="quota_full").count() == 1


@pytest.mark.django_db(transaction=True)
def test_claims_of_one_person_at_once_stay_within_the_quota() -> None:
    part = panel_enter(panel=make_panel(), platform_id="one")
    keys: set[Any] = set()
    for _ in range(3):
        beside = frozenset(keys)
        claims = together([lambda b=beside: claim_next(annotator=part.annotator, beside=b)] * 6)
        assert unforeseen(claims) == []
        keys |= {one.key for one in claims if hasattr(one, "key")}
    assert len(keys) == 2


@pytest.mark.django_db
def test_a_person_is_a_login_without_password_whose_name_tells_nothing() -> None:
    part = panel_enter(panel=make_panel(), platform_id="5f1e", submission_id="sub-1")
    user = part.annotator.user
    assert user is not None and not user.has_usable_password()
    assert part.annotator.origin == "participant"
    assert "5f1e" not in user.username + part.annotator.code
    for entry in AuditEntry.objects.all():
        assert "5f1e" not in f"{entry.data}{entry.about}{entry.object_id}"
    again = panel_enter(panel=part.panel, platform_id=" 5f1e ", submission_id="sub-2")
    assert (again.pk, again.submission_id) == (part.pk, "sub-2")
    assert User.objects.filter(username__startswith="panel-").count() == 1


@pytest.mark.django_db
def test_ids_off_the_pattern_are_refused() -> None:
    panel = make_panel(id_pattern="[0-9a-f]{4}")
    for wrong in ("", "5f1", "5f1g", "{{%PROLIFIC_PID%}}"):
        with pytest.raises(Invalid):
            panel_enter(panel=panel, platform_id=wrong)
    assert not Participant.objects.exists()


@pytest.mark.django_db
def test_a_seat_that_becomes_free_is_given_to_who_comes_again() -> None:
    panel = make_panel(max_participants=1)
    first = panel_enter(panel=panel, platform_id="one")
    second = panel_enter(panel=panel, platform_id="two")
    assert second.outcome == "quota_full"
    with pytest.raises(PartOver):
        claim_next(annotator=second.annotator)
    panel_update(panel=panel, actor=None, max_participants=2)
    second = panel_enter(panel=panel, platform_id="two")
    assert (second.outcome, second.quota) == ("", 2)
    assert claim_next(annotator=second.annotator) is not None
    assert first.annotator_id != second.annotator_id


@pytest.mark.django_db
def test_who_enters_a_second_panel_is_the_same_annotator_with_new_sheets() -> None:
    panel = make_panel()
    part = panel_enter(panel=panel, platform_id="one")
    for _ in range(2):
        rate_sheet(part.annotator, claim_next(annotator=part.annotator))
    more = panel_create(campaign=panel.campaign, actor=None, name="More", sheets_per_person=1)
    second = panel_enter(panel=more, platform_id="one")
    assert second.annotator_id == part.annotator_id
    assert second.sheets_before == 2
    part.refresh_from_db()
    assert part.outcome == "complete"
    rate_sheet(second.annotator, claim_next(annotator=second.annotator))
    with pytest.raises(PartOver) as over:
        claim_next(annotator=second.annotator)
    assert over.value.code == "complete"


@pytest.mark.django_db
def test_a_closed_panel_has_no_seats_and_an_erased_one_lets_nobody_in() -> None:
    panel = make_panel()
    panel_enter(panel=panel, platform_id="one", submission_id="s")
    panel = panel_close(panel=panel, closed=True, actor=None)
    assert panel_enter(panel=panel, platform_id="two").outcome == "quota_full"
    assert ids_erase(panel=panel, now=clock.now(), actor=None) == 2
    assert set(Participant.objects.values_list("platform_id", "submission_id")) == {("", "")}
    with pytest.raises(Conflict):
        panel_enter(panel=panel, platform_id="one")


@pytest.mark.django_db
def test_a_closed_campaign_is_full() -> None:
    panel = make_panel()
    campaign_close(campaign=panel.campaign, actor=None)
    assert panel_enter(panel=panel, platform_id="one").outcome == "quota_full"


def test_entries_have_a_count_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entering, "PER_ADDRESS", 3)
    monkeypatch.setattr(entering.time, "time", lambda: 1_000_000.0)
    for _ in range(3):
        entry_count(address="198.51.100.7")
    entry_count(address="198.51.100.8")
    with pytest.raises(TooManyFailures):
        entry_count(address="198.51.100.7")

"""Panels and the parts of their participants: what is refused, how a part ends, what is granted."""

from datetime import timedelta
from decimal import Decimal
from functools import partial

import pytest
from django.contrib.auth.models import User

from annotation.access import campaign_get, may_create, rights
from annotation.accounts.external_accounts import outside_connect
from annotation.accounts.login import factor_add, secret_new
from annotation.accounts.tokens import token_make
from annotation.accounts.users import (
    administrator_set,
    creation_set,
    email_set,
    reset_by_admin,
    user_create,
)
from annotation.campaigns.copying import members_copy
from annotation.collecting.claiming import PartOver
from annotation.collecting.saving import sheet_save
from annotation.errors import Conflict, Invalid, NotAllowed, RevisionClosed
from annotation.models import (
    ApiToken,
    AuditEntry,
    Exclusion,
    Invitation,
    Judgment,
    Membership,
    Panel,
    Participant,
    PartOutcome,
    Slot,
)
from annotation.panels.participation import ids_erase, panel_enter, part_end
from annotation.panels.services import panel_close, panel_update
from annotation.people.annotators import part_of, reached, sheets_of
from annotation.people.exclusions import annotator_withdraw
from annotation.people.membership import (
    NameTaken,
    guest_join,
    invitation_create,
    sign_up,
)
from paraanno import clock
from scoring.shared_tasks.models import SharedTask, TeamMember
from scoring.shared_tasks.tasks import team_add, team_join
from tests.annotation.claimed import offer, save
from tests.annotation.crowd import enter, make_panel
from tests.annotation.services.accounts.test_login import code_of
from tests.factories import (
    exclude,
    give_role,
    hand_in,
    join,
    make_annotator,
    make_campaign,
    rate_all,
    rate_sheet,
)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", " "),
        ("sheets_per_person", 0),
        ("max_participants", 0),
        ("parameter", "a&b"),
        ("parameter", "PID "),
        ("parameter", "NEXT"),
        ("parameter", "csrfmiddlewaretoken"),
        ("parameter", ""),
        ("session_parameter", "1x"),
        ("session_parameter", " "),
        ("session_parameter", "PROLIFIC_PID"),
        ("id_pattern", "(a+)+"),
        ("codes", {"finished": "A"}),
        ("codes", {"complete": "A\n"}),
        ("codes", ["A"]),
        ("return_url", "javascript:alert(1)"),
        ("return_url", "https://{id}.example.org/"),
        ("return_url", "https://example.org/a b"),
        ("return_url", "http://example.org/"),
        ("return_url", "https://you@example.org/"),
        ("return_url", "https://you:me@example.org/"),
        ("return_url", "https://example.org\\.net/"),
        ("return_url", "https://example.org:x/"),
        ("return_url", "http://localhost.example.org/"),
        ("return_url", "https:///done"),
        ("pay", Decimal("-1")),
        ("contact", "a\0"),
    ],
)
def test_bad_fields_are_refused_by_name(name, value):
    with pytest.raises(Invalid) as refusal:
        make_panel(**{name: value})
    assert name in refusal.value.data["fields"]
    assert not Panel.objects.exists()


def test_a_panel_is_made_changed_and_closed_and_the_log_says_so():
    panel = make_panel()
    assert len(panel.token) >= 32 and panel.event_secret
    panel_update(panel=panel, actor=None, codes={"complete": "C"}, minutes=30)
    assert panel_close(panel=panel, closed=True, actor=None).closed_at is not None
    assert panel_close(panel=panel, closed=False, actor=None).closed_at is None
    ids_erase(panel=panel, now=clock.now(), actor=None)
    with pytest.raises(Conflict):
        panel_close(panel=panel, closed=False, actor=None)
    log = AuditEntry.objects.filter(object_type="panel").order_by("pk")
    assert [one.verb for one in log] == [
        "make panel",
        "change panel",
        "close panel",
        "open panel",
        "erase platform ids",
    ]


@pytest.fixture
def part():
    return enter(make_panel(minutes=30))


def over(part, minutes=0):
    with pytest.raises(PartOver) as refusal:
        offer(part.annotator, now=clock.now() + timedelta(minutes=minutes))
    return refusal.value.code


def ended(part, outcome=PartOutcome.TIMED_OUT):
    return part_end(part=part, outcome=outcome, now=clock.now()).outcome


def test_ending_frees_the_open_place_and_keeps_what_was_handed_in(part):
    rate_all(part.annotator, at_most=1)
    offer(part.annotator)
    ended(part, PartOutcome.WITHDRAWN)
    assert [one.state for one in part.annotator.slots.all()] == ["done"]
    assert Judgment.objects.filter(status="counted").exists()
    assert ended(part) == over(part) == "withdrawn"


def hand_in_at_once(annotator):
    sheet = offer(annotator)
    rate_sheet(annotator, sheet, submit=False)
    assert (
        sheet_save(annotator=annotator, sheet_key=sheet.key, answers=[], done=True).state == "done"
    )


@pytest.mark.parametrize("hand_in", [partial(rate_all, at_most=1), hand_in_at_once])
def test_who_closes_the_browser_after_the_last_sheet_is_complete(part, hand_in):
    for left in reversed(range(part.quota)):
        assert part.outcome == ""
        hand_in(part.annotator)
        part.refresh_from_db()
        assert (part.outcome == "complete") is reached(part) is (left == 0)
        assert sheets_of(part) == part.quota - left
    assert part.ended_at is not None
    # As one of before that nobody has asked for: the platform says that their time was up.
    Participant.objects.update(outcome="", ended_at=None)
    part.refresh_from_db()
    assert ended(part) == "complete"


def test_late_answers_of_who_left_take_no_place(part):
    sheet = offer(part.annotator)
    ended(part)
    rate_sheet(part.annotator, sheet, submit=False)
    assert hand_in(part.annotator, sheet) == "surplus"
    assert not part.annotator.slots.exists()


def test_a_lost_sheet_beyond_the_quota_stays_lost(part, rows_by_hand):
    lost = offer(part.annotator)
    other = enter(part.panel, "two").annotator
    later = clock.now() + timedelta(minutes=29)
    lost.slots.filter(state="free").update(state="void")
    lost.slots.filter(annotator=part.annotator).update(
        annotator=other, claimed_at=later, lease_expires_at=later - timedelta(minutes=20)
    )
    for _ in range(2):
        rate_all(part.annotator, at_most=1)
    assert over(part) == "complete"
    # Not even where a place is free and nobody has noted that their part ended.
    lost.slots.filter(state="void").update(state="free")
    Participant.objects.update(outcome="", ended_at=None)
    rate_sheet(part.annotator, lost, submit=False)
    assert part.annotator.slots.count() == 2


def test_nobody_changes_a_sheet_after_the_code_was_shown(part):
    sheet = offer(part.annotator)
    for _ in range(2):
        rate_all(part.annotator, at_most=1)
    assert over(part) == "complete"
    with pytest.raises(RevisionClosed):
        save(part.annotator, sheet, None, base=1)


def test_time_is_up_after_the_panels_minutes(part):
    offer(part.annotator)
    assert over(part, minutes=31) == "timed_out"
    assert not Slot.objects.filter(state="claimed").exists()


def test_an_excluded_person_has_failed_the_checks(part):
    exclude(part.annotator)
    assert over(part) == "failed_checks"


def test_who_withdraws_and_wants_to_be_forgotten_has_no_platform_id_left(part):
    rate_all(part.annotator, at_most=1)
    annotator_withdraw(annotator=part.annotator, judgments="remove", erase=True)
    left = part_of(annotator=part.annotator)
    assert (left.outcome, left.platform_id, left.submission_id) == ("withdrawn", "", "")
    assert Exclusion.objects.filter(kind="withdrawal").exists()


def test_nothing_left_is_no_end_where_a_place_becomes_free(part, rows_by_hand):
    Slot.objects.update(state="void")
    assert over(part) == "quota_full"
    Slot.objects.update(state="free")
    assert offer(part.annotator) is not None
    part.refresh_from_db()
    assert part.outcome == ""


@pytest.fixture
def panel():
    return make_panel()


def guest_in(campaign):
    _row, token = invitation_create(campaign=campaign, actor=None, name_only=True)
    return guest_join(token=token, name="Gil")[0].annotator.user


@pytest.fixture(params=["panel", "name"])
def person(panel, request):
    if request.param == "name":
        return guest_in(panel.campaign)
    return panel_enter(panel=panel, platform_id="one").annotator.user


def invited(user, role, campaign):
    _row, token = invitation_create(campaign=campaign, actor=None, role=role)
    join(token, user)


def teamed(user):
    campaign = make_campaign("task", cast=False)
    task = SharedTask.objects.create(slug="task", title="Task", campaign=campaign, seed=1)
    _team, token = team_add(task=task, name="kite", actor=None)
    team_join(token=token, user=user)


def factored(user):
    secret = secret_new()
    factor_add(user=user, secret=secret, code=code_of(secret))


def role_of(role):
    return lambda user: give_role(user.annotators.get().campaign, user, role)


GRANTS = {
    "owner here": role_of("owner"),
    "viewer here": role_of("viewer"),
    "researcher by invitation": lambda user: invited(user, "researcher", make_campaign("other")),
    "annotator elsewhere": lambda user: invited(user, "annotator", make_campaign("other")),
    "annotator elsewhere, set": lambda user: give_role(make_campaign("other"), user, "annotator"),
    "team": teamed,
    "token": lambda user: token_make(user=user),
    "second factor": factored,
    "single sign-on": lambda user: outside_connect(user=user, subject="s", label="Kim"),
    "administrator": lambda user: administrator_set(user=user, on=True, actor=None),
    "right to create": lambda user: creation_set(user=user, on=True, actor=None),
    "password": lambda user: reset_by_admin(
        user=user, by_mail=False, link_of=lambda *_: "", actor=None
    ),
    "e-mail": lambda user: email_set(user=user, email="a@example.org", actor=None),
}


@pytest.mark.parametrize("what", GRANTS)
def test_nothing_is_granted_to_a_participant(person, what, settings):
    settings.OIDC_ISSUER = "https://id.example.org"
    with pytest.raises(NotAllowed) as refusal:
        GRANTS[what](person)
    assert "link of a study" in refusal.value.message
    person.refresh_from_db()
    assert [one.role for one in Membership.objects.filter(user=person)] == ["annotator"]
    assert not (ApiToken.objects.exists() or TeamMember.objects.exists() or person.email)
    assert not Invitation.objects.filter(uses__gt=0, name_only=False).exists()
    assert not person.is_superuser and not person.user_permissions.exists()


def test_they_are_annotators_or_no_members_here_and_stay_so_whatever_is_stored(
    person, panel, settings
):
    settings.EVERYBODY_CREATES = True
    campaign = panel.campaign
    for role in ("annotator", None, "annotator"):
        give_role(campaign, person, role)
    Membership.objects.filter(user=person).update(role="owner")
    User.objects.filter(pk=person.pk).update(is_superuser=True)
    person = User.objects.get(pk=person.pk)
    granted = rights(user=person, campaign=campaign)
    assert granted.annotate and not (granted.read or granted.research or granted.own)
    with pytest.raises(NotAllowed):
        campaign_get(user=person, slug=campaign.slug, right="read")
    assert not may_create(user=person)
    Membership.objects.filter(user=person).update(role="annotator")


def test_a_copy_of_the_campaign_has_no_participants(person, panel):
    make_annotator(panel.campaign, "bob")
    copy = make_campaign("copy", cast=False)
    come = panel.campaign.memberships.exclude(role="owner")
    members_copy(source=panel.campaign, copy=copy, members=come)
    assert [one.user.username for one in copy.annotators.all()] == ["bob"]
    assert not copy.memberships.filter(user=person).exists()


def test_no_account_gets_a_name_of_their_kind(person, panel):
    _row, token = invitation_create(campaign=panel.campaign, actor=None)
    for name in ("Panel-" + "0a" * 8, "guest-" + "0b" * 8):
        with pytest.raises(NameTaken):
            sign_up(token=token, username=name, password="a-long-one-9")
        with pytest.raises(Invalid, match="taken"):
            user_create(name=name, email="", actor=None)
    sign_up(token=token, username="panel-jane", password="a-long-one-9")

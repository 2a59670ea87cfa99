"""Erasing a person: what goes in each campaign, what stays, and who may not vanish."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session

from annotation.accounts.tokens import token_make
from annotation.collecting.claiming import claim_next
from annotation.collecting.sheets import remark_add
from annotation.errors import Conflict, Invalid
from annotation.models import (
    Annotator,
    AuditEntry,
    Campaign,
    Invitation,
    Judgment,
    JudgmentVersion,
    Membership,
    Remark,
    Slot,
)
from annotation.people.background import (
    Given,
    consent_give,
)
from annotation.people.membership import (
    annotator_for,
    invitation_create,
    membership_set,
)
from annotation.people.stored_data import account_erase
from tests.clients import client_of
from tests.factories import (
    agree,
    ask_consent,
    ask_question,
    give_answers,
    item_rows,
    join,
    make_admin,
    make_annotator,
    make_campaign,
    make_user,
    rate_all,
    rate_sheet,
)

NAME, MAIL = "zoe-quux", "zoe.quux@example.org"


def zoe_in(slug, *, removes):
    """A campaign in which she judged two sheets, has a third open, and told much of herself."""
    campaign = make_campaign(slug, rows=item_rows(4, 1), k=1, cast=False, erasure_removes=removes)
    zoe = make_user(NAME, email=MAIL)
    _invitation, token = invitation_create(
        campaign=campaign, actor=None, note=f"for {NAME}", email=MAIL, valid_for=timedelta(days=1)
    )
    join(token, zoe)
    annotator = annotator_for(campaign=campaign, user=zoe)
    text = ask_consent(campaign, "Do you agree?")
    consent_give(annotator=annotator, version=text.version)
    asked = ask_question(campaign, "Who are you?")
    give_answers(annotator, {asked.key: Given([f"I am {NAME}"])})
    for submit in (True, True, False):
        sheet = claim_next(annotator=annotator)
        rate_sheet(annotator, sheet, submit=submit)
    remark_add(
        annotator=annotator,
        sheet_key=sheet.key,
        substitution_key=None,
        flagged=True,
        text=f"says {NAME}",
        request_id=uuid4(),
    )
    for model in (Judgment, JudgmentVersion):
        model.objects.update(comment=f"by {NAME}")
    return annotator


def another_in(campaign):
    """Bob, who judged the sheet that is left."""
    bob = make_annotator(campaign)
    agree(bob)
    give_answers(bob, {})
    assert rate_all(bob, value=2) == 1
    return bob


def all_text():
    """Every value of every row of the database."""
    return "\n".join(
        repr(row)
        for model in apps.get_models()
        for row in model._default_manager.order_by().values_list()
    )


def test_each_campaign_says_what_stays_and_nothing_names_the_person():
    kept, gone = zoe_in("kept", removes=False), zoe_in("gone", removes=True)
    zoe = User.objects.get(username=NAME)
    token_make(user=zoe, label="mine")
    client = client_of(zoe)
    before = Judgment.objects.filter(annotator=kept).count()
    with pytest.raises(Invalid):
        account_erase(user=zoe, typed="zoe", actor=zoe)
    assert NAME in all_text() and MAIL in all_text()
    found = account_erase(user=zoe, typed=f" {NAME} ", actor=zoe)
    assert (found.campaigns, found.remaining, found.removed) == (2, before, before)
    everything = all_text()
    assert NAME not in everything and MAIL not in everything
    assert client.get("/").status_code == 302 and not Session.objects.exists()
    # Kept: the code with its values, no more; open sheets went to others.
    kept.refresh_from_db()
    assert kept.user is None and kept.invitation is None and kept.consents.count() == 1
    assert Judgment.objects.filter(annotator=kept, comment="").count() == before
    assert not Slot.objects.filter(annotator=kept, state="claimed").exists()
    # Gone: no annotator, and as many places as before.
    assert not Annotator.objects.filter(campaign=gone.campaign).exists()
    assert not Judgment.objects.filter(campaign=gone.campaign).exists()
    assert Slot.objects.filter(campaign=gone.campaign, state="free").count() == 4
    assert not Remark.objects.exists()
    entry = AuditEntry.objects.filter(campaign=None).first()
    assert entry.verb == "erase person"
    assert (entry.actor, entry.person, entry.object_id) == (None, None, "")
    assert Invitation.objects.filter(note="", email="").count() == 2


def test_the_only_owner_and_the_last_administrator_stay(campaign):
    alice, adam = User.objects.get(username="alice"), make_admin()
    with pytest.raises(Conflict, match="Camp"):
        account_erase(user=alice, typed="alice", actor=adam)
    with pytest.raises(Conflict, match="administrator"):
        account_erase(user=adam, typed="adam", actor=adam)
    role = Membership.Role.OWNER
    membership_set(campaign=campaign, user=make_user("rita"), role=role, actor=alice)
    account_erase(user=alice, typed="alice", actor=adam)
    entry = AuditEntry.objects.filter(campaign=None, verb="erase person").first()
    assert entry.actor == adam
    assert Campaign.objects.get().created_by is None

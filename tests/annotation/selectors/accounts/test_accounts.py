"""Accounts, their log, the zip of one person, and the plan of an erasure."""

import csv
import io
import json
import zipfile
from datetime import UTC, date, datetime, timedelta

import pytest
from django.contrib.auth.models import Group, Permission, User

from annotation.accounts.audit_log import LogAsked, site_log, site_log_rows
from annotation.accounts.tokens import token_make
from annotation.accounts.users import user_get, users_found
from annotation.database import audit
from annotation.errors import NotFound
from annotation.models import AuditEntry, JudgmentVersion
from annotation.people.stored_data import erasure_plan, person_zip
from paraanno import clock
from tests.annotation.crowd import enter, make_panel
from tests.annotation.doors import with_factor
from tests.annotation.services.accounts.test_erasure import MAIL, NAME, another_in, zoe_in
from tests.clients import client_of
from tests.factories import make_admin, make_campaign, make_user


def names(**options):
    return [user.username for user in users_found(**options)]


def test_who_is_found(django_assert_max_num_queries):
    came = enter(make_panel()).annotator.user
    make_admin(), make_user("zoe", email="z@x.org", is_active=False)
    group = Group.objects.create(name="staff")
    group.permissions.add(Permission.objects.get(codename="add_campaign"))
    make_user("dora").groups.add(group)
    with_factor(make_user("bob"))
    with django_assert_max_num_queries(3):  # PostgreSQL's clock is asked twice.
        everybody = names()
    assert everybody == ["adam", "alice", "bob", "dora", "zoe"]
    assert names(state="crowd") == [came.username]
    assert names(query="OrA") == ["dora"] and names(query="z@X") == ["zoe"]
    assert names(state="disabled") == ["zoe"] and "zoe" not in names(state="active")
    assert names(right="admin") == ["adam"]
    assert names(right="create") == ["adam", "alice", "dora"]
    assert names(right="factor") == ["bob"]
    assert names(state="never", query="bob") == ["bob"]
    client_of("bob")
    assert names(state="never", query="bob") == []


def test_what_is_told_of_one():
    bob = make_user("bob")
    client_of("bob"), client_of("bob").logout()
    token_make(user=bob)
    ended, _text = token_make(user=bob)
    ended.expires_at = ended.created_at - timedelta(days=1)
    ended.save()
    told = user_get(pk=bob.pk)
    assert (told.sessions, told.tokens) == (1, 1)
    assert (told.creates, told.factor, told.outside) == (False, False, False)
    assert clock.now() - told.seen < timedelta(minutes=5)
    assert user_get(pk=make_user("alice").pk).creates
    with pytest.raises(NotFound):
        user_get(pk=0)


def test_filters_and_rows(django_assert_num_queries):
    AuditEntry.objects.all().delete()
    campaign = make_campaign(items=1, open_it=False, cast=False)
    AuditEntry.objects.all().delete()
    alice, bob = make_user("alice"), make_user("bob")
    for day, verb in ((1, "create"), (2, "invite"), (3, "invite")):
        entry = audit(actor=alice, verb=verb, about=campaign, campaign=campaign, day=day)
        when = datetime(2026, 5, day, 23, 59, tzinfo=UTC)
        AuditEntry.objects.filter(pk=entry.pk).update(at=when)
    audit(actor=None, verb="fail to log in", about=bob, campaign=None)

    def days(**asked):
        return [one.data["day"] for one in site_log(query=LogAsked(**asked))]

    assert days(campaign="camp") == [3, 2, 1] and days(verb="invite") == [3, 2]
    assert days(who="ALICE", first=date(2026, 5, 2)) == [3, 2]
    assert days(last=date(2026, 5, 2), campaign="camp") == [2, 1]
    assert days(campaign="other") == []
    assert [one.verb for one in site_log(query=LogAsked(who="bob"))] == ["fail to log in"]
    with django_assert_num_queries(1):
        rows = list(site_log_rows(query=LogAsked()))
    assert [row["actor"] for row in rows] == [None, "alice", "alice", "alice"]
    assert rows[0]["person"] == "bob" and rows[1]["campaign"] == "camp"


def test_everything_of_the_person_and_nothing_of_others():
    annotator = zoe_in("camp", removes=False)
    another_in(annotator.campaign)
    zoe = User.objects.get(username=NAME)
    token_make(user=zoe, label="=mine")
    with person_zip(user=zoe) as stream, zipfile.ZipFile(stream) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    account = json.loads(files["account.json"])
    assert (account["username"], account["email"]) == (NAME, MAIL)
    assert account["tokens"][0]["label"] == "=mine"
    assert account["annotates"][0]["code"] == annotator.code

    def column(table, name):
        return [row[name] for row in csv.DictReader(io.StringIO(files[f"{table}.csv"]))]

    versions = JudgmentVersion.objects.filter(judgment__annotator=annotator).count()
    assert column("judgments", "value") == ["4"] * versions == ["4"] * 6
    assert column("remarks", "remark") == [f"says {NAME}"]
    assert column("background", "value") == [f"I am {NAME}"]
    assert column("consent", "text") == ["Do you agree?"]
    assert set(column("work", "what")) == {"claimed", "done"}
    assert set(column("log", "by")) <= {"self", "others"}
    assert "bob" not in str(files) and "teams.csv" in files and "password" not in str(account)


def test_it_tells_all_and_does_nothing(django_assert_num_queries):
    zoe_in("one", removes=True)
    zoe = User.objects.get(username=NAME)
    with django_assert_num_queries(8):
        plan = erasure_plan(user=zoe)
    zoe_in("two", removes=False)
    with django_assert_num_queries(8):
        plan = erasure_plan(user=zoe)
    told = [
        (one.campaign.slug, one.removes, one.judgments, one.remarks, one.answers)
        for one in plan.parts
    ]
    assert told == [("one", True, 6, 1, 1), ("two", False, 6, 1, 1)]
    assert plan.possible and plan.tokens == 0
    make_campaign("three", items=1)
    alice = erasure_plan(user=make_user("alice"))
    assert [one.slug for one in alice.only_owner_of] == ["one", "three", "two"]
    assert not alice.possible

"""What administrators do with accounts; each act is in the log."""

import pytest
from django.contrib.auth.models import User

from annotation.access import may_create
from annotation.accounts.users import (
    administrator_set,
    login_name,
    reset_by_admin,
    user_create,
    user_enable,
    users_create,
)
from annotation.errors import Invalid, NotAllowed
from annotation.importers.gold import InvitedPerson
from annotation.models import AuditEntry
from tests.factories import make_admin, make_user
from tests.letters import sent


def person(name, email=""):
    return InvitedPerson(1, name, email, "annotator", "")


def create(*people, **options):
    given = {"creates": False, "by_mail": False, "actor": make_admin(), **options}
    return users_create(people=people, link_of=lambda number, token: f"/{number}/{token}", **given)


def test_accounts_with_links_all_or_none():
    made = create(
        person("Kim Min", "kim@x.org"), person("", "lee@x.org"), by_mail=True, creates=True
    )
    assert [one.user.username for one in made] == ["Kim.Min", "lee@x.org"]
    for one, letter in zip(made, sent(), strict=True):
        assert one.by_mail and one.link in letter.body
        assert may_create(user=one.user) and not one.user.has_usable_password()
    before = User.objects.count()
    for wrong in ([person("new"), person("kim.min")], [person("a/b")], [], [person("x")] * 201):
        with pytest.raises(Invalid):
            create(*wrong)
    with pytest.raises(Invalid):
        create(person("nobody"), by_mail=True)
    assert User.objects.count() == before
    assert login_name("  a  b\tc ") == "a.b.c"


def test_the_last_administrator_stays():
    adam = make_admin()
    eve = user_create(name="eve", email="", actor=adam)
    administrator_set(user=eve, on=True, actor=adam)
    user_enable(user=eve, active=False, actor=adam)
    with pytest.raises(NotAllowed):
        administrator_set(user=adam, on=False, actor=adam)
    with pytest.raises(NotAllowed):
        user_enable(user=adam, active=False, actor=eve)
    user_enable(user=eve, active=True, actor=adam)
    administrator_set(user=adam, on=False, actor=eve)
    adam.refresh_from_db()
    assert (adam.is_superuser, adam.is_staff, adam.is_active) == (False, False, True)
    verbs = set(AuditEntry.objects.filter(person=eve).values_list("verb", flat=True))
    assert verbs >= {"create account", "make administrator", "disable account", "enable account"}


def test_a_link_is_sent_or_shown_and_a_disabled_account_gets_none():
    bob, adam = make_user("bob"), make_admin()

    def reset(by_mail):
        return reset_by_admin(
            user=bob, by_mail=by_mail, link_of=lambda number, token: token, actor=adam
        )

    assert reset(False) and sent() == []
    with pytest.raises(Invalid):
        reset(True)
    bob.email = "bob@example.org"
    assert reset(True) in sent()[0].body
    bob.is_active = False
    with pytest.raises(Invalid):
        reset(False)
    assert AuditEntry.objects.filter(verb="make password link", actor=adam).count() == 2

"""Forms ask for the password of who has one."""

import pytest

from annotation.forms.accounts import EmailForm, FactorForm, FirstFactorForm, NewUsersForm
from tests.factories import PASSWORD, make_campaign, make_user

pytestmark = pytest.mark.django_db


def test_a_password_is_asked_for_where_there_is_one():
    bob = make_user("bob")
    assert list(EmailForm(user=bob).fields) == ["email", "password"]
    assert list(FactorForm(user=bob).fields) == ["code", "password"]
    assert list(FirstFactorForm(user=bob).fields) == ["code"]
    given = {"email": "b@x.org", "password": PASSWORD}
    assert EmailForm(given, user=bob).is_valid()
    assert not EmailForm({**given, "password": "wrong"}, user=bob).is_valid()
    bob.set_unusable_password()
    assert EmailForm({"email": "b@x.org"}, user=bob).is_valid()


def test_a_campaign_is_named_by_its_slug():
    campaign = make_campaign("camp", items=1)
    form = NewUsersForm({"people": "Kim", "days": 3, "campaign": "camp"})
    assert form.is_valid() and form.cleaned_data["campaign"] == campaign
    assert not NewUsersForm({"people": "Kim", "days": 3, "campaign": "none"}).is_valid()

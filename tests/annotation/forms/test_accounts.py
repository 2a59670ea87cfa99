"""Forms of accounts."""

import pytest

from annotation.accounts.forms import ConfirmForm
from annotation.people.forms import NewUsersForm
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db


def test_what_is_asked_for_is_checked_and_a_code_only_after_the_password():
    tried = []

    def check(name):
        return lambda text: tried.append((name, text)) or text == "right"

    checks = {name: check(name) for name in ("password", "code")}
    assert list(ConfirmForm(checks=checks).fields) == ["password", "code"]
    given = {"confirm-password": "wrong", "confirm-code": "right"}
    form = ConfirmForm(given, checks=checks)
    assert not form.is_valid() and tried == [("password", "wrong")]
    assert ConfirmForm({**given, "confirm-password": "right"}, checks=checks).is_valid()
    assert not ConfirmForm({"confirm-password": "right"}, checks=checks).is_valid()


def test_a_campaign_is_named_by_its_slug():
    campaign = make_campaign("camp", items=1)
    form = NewUsersForm({"people": "Kim", "days": 3, "campaign": "camp"})
    assert form.is_valid() and form.cleaned_data["campaign"] == campaign
    assert not NewUsersForm({"people": "Kim", "days": 3, "campaign": "none"}).is_valid()

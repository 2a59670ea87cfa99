"""Forms about accounts."""

from datetime import date

import pytest

from annotation.accounts.forms import LogForm
from annotation.people.forms import DeleteAccountForm
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_the_name_is_typed_as_it_is():
    bob = make_user("bob")
    assert DeleteAccountForm({"typed": " bob "}, user=bob).is_valid()
    assert not DeleteAccountForm({"typed": "Bob"}, user=bob).is_valid()


def test_a_field_with_a_fault_asks_for_nothing():
    form = LogForm({"who": "bob", "first": "2026-05-01", "last": "soon", "verb": "nothing known"})
    assert not form.is_valid() and set(form.errors) == {"last", "verb"}
    asked = form.query()
    assert (asked.who, asked.first, asked.last, asked.verb) == ("bob", date(2026, 5, 1), None, "")

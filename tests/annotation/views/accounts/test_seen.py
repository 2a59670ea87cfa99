"""A page notes that its reader was here, and asks nothing about readers it did not ask for."""

from django.core.cache import cache
from django.db import OperationalError

from annotation.models import SignedIn
from tests.clients import client_of


def test_a_session_without_a_row_gets_one_and_a_full_disk_stops_no_page(
    monkeypatch,
):
    client = client_of("bob")
    SignedIn.objects.all().delete()
    cache.clear()
    client.get("/accounts/password/")
    assert SignedIn.objects.get().user.username == "bob"

    def full(*_, **__):
        raise OperationalError

    cache.clear()
    monkeypatch.setattr("annotation.accounts.login.short_write", full)
    assert client.get("/accounts/password/").status_code == 200

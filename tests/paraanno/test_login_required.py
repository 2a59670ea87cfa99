"""A view that asks for no login reads no account; who is sent to log in: tests/site/permissions."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db


def test_a_view_without_a_login_reads_no_account():
    make_user("bob")
    client = Client()
    assert client.login(username="bob", password=PASSWORD)
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/healthz").status_code == 200
    assert not [one for one in queries if "auth_user" in one["sql"]]

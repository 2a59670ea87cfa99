"""Who is logged in, and logging in without leaving the page."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_a_login_without_leaving_the_page_is_slowed_down_as_well() -> None:
    make_user("alice")
    wrong = {"username": "alice", "password": "wrong"}
    answers = [APIClient().post("/api/v1/session", wrong, format="json") for _ in range(21)]
    assert [answer.status_code for answer in answers] == [400] * 20 + [429]

"""Who is logged in, and logging in without leaving the page."""

from rest_framework.test import APIClient

from annotation.services.people.logins import PER_PAIR
from tests.factories import make_user


def test_a_login_without_leaving_the_page_is_slowed_down_as_well():
    make_user("alice")
    wrong = {"username": "alice", "password": "wrong"}
    codes = [APIClient().post("/api/v1/session", wrong).status_code for _ in range(PER_PAIR + 1)]
    assert codes == [400] * PER_PAIR + [429]

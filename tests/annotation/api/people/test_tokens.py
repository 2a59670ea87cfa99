"""Login for programs."""

from rest_framework.test import APIClient

from tests.annotation.api.conftest import rows_of
from tests.annotation.api.people.tokens_asked import CAMPAIGNS, TOKEN, ask, with_token
from tests.factories import make_campaign


def test_a_token_opens_what_its_user_may_see_until_it_is_revoked():
    make_campaign()
    client = with_token(ask(APIClient()).json()["token"])
    assert [row["slug"] for row in rows_of(client, CAMPAIGNS)] == ["camp"]
    assert client.delete(TOKEN).status_code == 204
    assert client.get(CAMPAIGNS).status_code == 401

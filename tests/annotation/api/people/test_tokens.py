"""Login for programs."""

from rest_framework.test import APIClient

from tests.annotation.api.conftest import rows_of
from tests.annotation.api.people.tokens_asked import CAMPAIGNS, TOKEN, ask, with_token
from tests.factories import make_campaign, make_user


def test_a_token_opens_what_its_user_may_see_until_it_is_revoked():
    make_campaign()
    client = with_token(ask(APIClient()).json()["token"])
    assert [row["slug"] for row in rows_of(client, CAMPAIGNS)] == ["camp"]
    assert client.delete(TOKEN).status_code == 204
    assert client.get(CAMPAIGNS).status_code == 401


def test_tokens_are_listed_and_revoked_one_by_one(login):
    make_user("alice")
    first = ask(APIClient(), label="notebook").json()
    second = ask(APIClient()).json()
    rows = with_token(second["token"]).get(TOKEN).json()
    assert [(row["key"], row["label"], row["used_at"] is None) for row in rows] == [
        (second["key"], "", False),
        (first["key"], "notebook", True),
    ]
    assert not {"token", "token_hash"} & set(rows[0])
    one = f"{TOKEN}/{first['key']}"
    assert login("bob").delete(one).status_code == 404
    assert with_token(second["token"]).delete(one).status_code == 204
    assert with_token(first["token"]).get(TOKEN).status_code == 401
    assert len(with_token(second["token"]).get(TOKEN).json()) == 1

"""The page of a user's API tokens."""

import re

from annotation.models import ApiToken
from tests.annotation.tokens_asked import CAMPAIGNS, with_token
from tests.clients import client_of, text_of
from tests.factories import make_campaign

PAGE = "/accounts/tokens/"


def test_the_page_shows_a_token_once():
    client = client_of("alice")
    for fields in ({"scope": "read"}, {"label": "x"}, {"label": "x", "scope": ""}):
        assert "This field is required." in text_of(client.post(PAGE, fields))
    assert not ApiToken.objects.exists()
    page = client.post(PAGE, {"label": "notebook", "scope": "everything"}).content.decode()
    assert 'value="notebook"' not in page  # The form is ready for another one.
    [token] = re.findall('id="token">([^<]+)<', page)
    assert with_token(token).get(CAMPAIGNS).status_code == 200
    again = client.get(PAGE).content.decode()
    assert "notebook" in again and token not in again
    assert "notebook" not in text_of(client_of("bob").get(PAGE))
    key = ApiToken.objects.get().key
    assert client.post(f"{PAGE}{key}/revoke/").status_code == 302
    assert with_token(token).get(CAMPAIGNS).status_code == 401


def test_a_scope_is_chosen_and_listed(settings):
    settings.TOKEN_DAYS = 90
    make_campaign("camp")
    client, fields = client_of("alice"), {"label": "notebook", "scope": "read"}
    text_of(client.post(PAGE, {**fields, "campaigns": ["camp"], "days": 90}))
    token = ApiToken.objects.get()
    assert (token.scope, token.everywhere, token.campaigns.get().slug) == ("read", False, "camp")
    assert "read (camp)" in text_of(client.get(PAGE)).replace("( ", "(").replace(" )", ")")
    for more, words in (
        ({"days": 91}, "from 1 to 90 days"),
        ({"campaigns": ["of-others"]}, "of-others"),
        ({"scope": "everything", "campaigns": ["camp"]}, "needs a scope"),
    ):
        answer = client.post(PAGE, {**fields, **more})
        assert answer.status_code == 422 and words in text_of(answer)

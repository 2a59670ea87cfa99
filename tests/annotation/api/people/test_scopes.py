"""What a token with a scope reaches: a right, in certain campaigns, and nothing beside them."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from annotation.models import ApiToken, Membership
from tests.annotation.tokens_asked import CAMPAIGNS, TOKEN, ask, with_token
from tests.factories import PASSWORD, make_annotator, make_campaign

CAMP, OTHER = f"{CAMPAIGNS}/camp", f"{CAMPAIGNS}/other"


@pytest.fixture
def campaigns():
    """Alice owns both; she judges in both, too."""
    both = make_campaign("camp", items=2), make_campaign("other", items=2)
    for campaign in both:
        make_annotator(campaign, "alice")
        Membership.objects.filter(campaign=campaign, user__username="alice").update(role="owner")
    return both


def scoped(scope, *slugs):
    body = {"scope": scope, **({"campaigns": slugs} if slugs else {})}
    return with_token(ask(APIClient(), **body).json()["token"])


def status_of(client, method, address, body=None):
    answer = getattr(client, method)(address, body, format="json")
    said = answer.json() if answer.content and answer.status_code >= 400 else {}
    return answer.status_code, said.get("code", "")


REACHED, BEYOND = (200, ""), (403, "token_scope")


@pytest.mark.parametrize(
    ("scope", "read", "judge", "manage"),
    [
        ("read", REACHED, BEYOND, BEYOND),
        ("judge", BEYOND, REACHED, BEYOND),
        ("manage", REACHED, REACHED, REACHED),
        (None, REACHED, REACHED, REACHED),
    ],
)
def test_a_scope_is_a_part_of_what_its_owner_may_do(campaigns, scope, read, judge, manage):
    client = scoped(scope) if scope else with_token(ask(APIClient()).json()["token"])
    assert status_of(client, "get", f"{CAMP}/judgments") == read
    assert status_of(client, "get", f"{CAMP}/progress/own") == judge
    assert status_of(client, "post", f"{CAMP}/claim", {}) == judge
    assert status_of(client, "post", f"{CAMP}/pause") == manage
    assert status_of(client, "get", f"{CAMP}/invitations") == manage


def test_a_sheet_is_judged_by_a_token_that_judges_there_alone(campaigns):
    keys = {one.slug: str(one.annotators.get(user__username="alice").key) for one in campaigns}
    owner = with_token(ask(APIClient()).json()["token"])
    sheets = {}
    for slug in keys:
        claimed = owner.post(f"{CAMPAIGNS}/{slug}/claim", {}, format="json").json()
        sheets[slug] = claimed["sheet"]["key"]
    judges, reads = scoped("judge", "camp"), scoped("read", "camp")
    for slug, client, expected in (
        ("camp", judges, REACHED),
        ("other", judges, BEYOND),
        ("camp", reads, BEYOND),
    ):
        sheet, body = f"/api/v1/sheets/{sheets[slug]}", {"annotator": keys[slug]}
        assert status_of(client, "get", sheet) == expected
        assert status_of(client, "put", sheet, body) == expected
        remark = {**body, "id": str(uuid4()), "substitution": None, "flagged": True, "text": ""}
        assert status_of(client, "post", f"{sheet}/remarks", remark) == expected
    assert judges.get("/api/v1/me?campaign=camp").json()["annotator"] == keys["camp"]
    assert judges.get("/api/v1/me?campaign=other").json()["annotator"] is None


@pytest.mark.parametrize("administers", [False, True])
def test_other_campaigns_are_not_there(campaigns, administers):
    if administers:
        User.objects.filter(username="alice").update(is_superuser=True)
    client = scoped("manage", "camp")
    listed = [row["slug"] for row in client.get(CAMPAIGNS).json()["results"]]
    assert listed == ["camp"]
    for method, address in (("get", OTHER), ("post", f"{OTHER}/pause"), ("get", f"{OTHER}/items")):
        assert status_of(client, method, address) == (404, "not_found")
    assert status_of(client, "get", CAMP) == REACHED


def test_nothing_beside_campaigns_is_reached(campaigns):
    client = scoped("manage")
    for method, address in (
        ("get", TOKEN),
        ("delete", TOKEN),
        ("get", "/api/v1/resources"),
        ("get", "/api/v1/builds"),
        ("get", "/api/v1/tasks"),
        ("get", "/api/v1/restores"),
        ("get", "/api/v1/templates"),
        ("post", CAMPAIGNS),
        ("post", f"{CAMP}/copies"),
    ):
        assert status_of(client, method, address)[1] == "token_scope", address
    assert ApiToken.objects.count() == 1


def test_a_campaign_that_is_deleted_leaves_its_token_nothing(campaigns):
    client = scoped("read", "camp")
    token = ApiToken.objects.get()
    token.campaigns.clear()
    assert client.get(CAMPAIGNS).json()["results"] == []
    assert status_of(client, "get", OTHER) == (404, "not_found")


def test_a_scope_that_is_none_and_campaigns_of_others_are_refused(campaigns):
    for body, words in (
        ({"scope": "write"}, "scope"),
        ({"scope": ""}, "scope"),
        ({"campaigns": ["camp"]}, "needs a scope"),
        ({"scope": "read", "campaigns": ["nothing"]}, "nothing"),
    ):
        answer = ask(APIClient(), **body)
        assert answer.status_code == 400 and words in answer.json()["detail"]
    row = scoped("read", "other") and with_token(ask(APIClient()).json()["token"]).get(TOKEN).json()
    assert [(one["scope"], one["campaigns"]) for one in row] == [("", None), ("read", ["other"])]


def test_bearer_is_the_same_word(campaigns):
    text = ask(APIClient()).json()["token"]
    client = APIClient()
    for scheme, status in (("Bearer", 200), ("bearer", 200), ("TOKEN", 200), ("Basic", 401)):
        client.credentials(HTTP_AUTHORIZATION=f"{scheme} {text}")
        assert client.get(CAMPAIGNS).status_code == status


def test_a_session_works_as_before_and_dangerous_things_want_a_recent_login(campaigns, login):
    client = login("alice")
    assert status_of(client, "get", f"{CAMP}/invitations") == REACHED
    invite = {"role": "researcher", "days": 3}
    assert status_of(client, "post", f"{CAMP}/invitations", invite) == (403, "confirm")
    assert status_of(client, "post", f"{CAMP}/delete", {"typed": "camp"}) == (403, "confirm")
    annotator = {**invite, "role": "annotator"}
    assert client.post(f"{CAMP}/invitations", annotator).status_code == 201
    client.post("/api/v1/session", {"username": "alice", "password": PASSWORD})
    assert client.post(f"{CAMP}/invitations", invite).status_code == 201

"""Annotators, exclusions, invitations and tokens through the API."""

from datetime import datetime, timedelta

from rest_framework.test import APIClient

from annotation.models import Invitation, Membership
from annotation.people.api import AnnotatorOut
from tests.annotation.api.conftest import rows_of
from tests.annotation.rated import CAMP
from tests.annotation.tokens_asked import CAMPAIGNS, TOKEN, ask, with_token
from tests.factories import make_annotator, make_campaign, rate_all


def test_annotators_with_what_they_did_and_without_their_names(login):
    rate_all(make_annotator(make_campaign(items=2)))
    answer = login("vera").get(f"{CAMP}/annotators")
    [row] = answer.json()["results"]
    assert (row["code"], row["sheets_done"], row["judgments_counted"]) == ("A01", 2, 8)
    assert datetime.fromisoformat(row["last_at"])
    assert b"bob" not in answer.content


def test_an_invitation_opens_the_campaign_and_its_link_is_told_once(login):
    make_campaign()
    dora = login("dora")
    made = dora.post(f"{CAMP}/invitations", {"days": 3, "max_uses": 2, "note": "For Eve"})
    assert made.status_code == 201, made.content
    link = made.json()["link"]
    stored = Invitation.objects.get()
    lasts = stored.expires_at - stored.created_at
    assert abs(lasts - timedelta(days=3)) < timedelta(minutes=1)
    listed = dora.get(f"{CAMP}/invitations")
    assert listed.json()["results"][0]["note"] == "For Eve"
    assert link.split("/")[-2].encode() not in listed.content
    assert login("eve").post(link).status_code == 302
    assert Membership.objects.get(user__username="eve").role == "annotator"
    revoked = dora.delete(f"{CAMP}/invitations/{stored.key}")
    assert revoked.json()["revoked_at"] is not None
    assert login("fay").post(link).status_code == 404


def test_answers_of_an_annotator_stand_under_short_names(answered):
    shown = {one.code: AnnotatorOut(one).data for one in answered.annotators.order_by("pk")}
    assert [one["background"] for one in shown.values()] == [
        {"age": 40, "speaks": ["Czech", "Dutch"], "else": None},
        {"age": None, "speaks": ["Dutch"], "else": None},
        {},
    ]
    assert "bob" not in str(shown)


def test_a_token_opens_what_its_user_may_see_until_it_is_revoked():
    make_campaign()
    client = with_token(ask(APIClient()).json()["token"])
    assert [row["slug"] for row in rows_of(client, CAMPAIGNS)] == ["camp"]
    assert client.delete(TOKEN).status_code == 204
    assert client.get(CAMPAIGNS).status_code == 401

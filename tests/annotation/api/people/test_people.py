"""Annotators, exclusions and invitations through the API."""

from datetime import datetime, timedelta

from annotation.models import Invitation, Membership
from tests.annotation.api.campaigns.asked import CAMP
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

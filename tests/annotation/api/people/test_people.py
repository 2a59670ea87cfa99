"""Annotators, exclusions and invitations through the API."""

from datetime import datetime, timedelta

import pytest

from annotation.models import Invitation, Membership
from tests.annotation.api.campaigns.asked import CAMP
from tests.annotation.api.conftest import rows_of
from tests.factories import make_annotator, make_campaign, rate_all


def test_annotators_with_what_they_did_and_without_their_names(login):
    rate_all(make_annotator(make_campaign(items=2)))
    answer = login("vera").get(f"{CAMP}/annotators")
    [row] = answer.json()["results"]
    assert (row["code"], row["sheets_done"], row["judgments_counted"]) == ("A01", 2, 8)
    assert datetime.fromisoformat(row["last_at"])
    assert b"bob" not in answer.content


@pytest.mark.parametrize("kind", ["annotator", "phrase", "item", "substitution", "system"])
def test_every_kind_of_target_is_excluded_and_taken_back(login, kind):
    campaign = make_campaign(items=2)
    make_annotator(campaign)
    target = getattr(campaign, f"{kind}s").first()
    dora = login("dora")
    body = {"target": kind, "target_key": str(target.key), "reason": "A test."}
    made = dora.post(f"{CAMP}/exclusions", body)
    assert made.status_code == 201, made.content
    assert dora.post(f"{CAMP}/exclusions", body).status_code == 400
    [row] = rows_of(dora, f"{CAMP}/exclusions")
    assert (row["target"], row["target_key"], row["created_by"], row["ends_at"]) == (
        kind,
        str(target.key),
        "dora",
        None,
    )
    lifted = dora.delete(f"{CAMP}/exclusions/{row['key']}")
    assert lifted.status_code == 200 and lifted.json()["ends_at"] is not None
    assert len(rows_of(dora, f"{CAMP}/exclusions")) == 1


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

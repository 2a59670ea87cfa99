"""Annotators, exclusions and invitations through the API."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Invitation, Membership
from annotation.services.people.exclusions import exclusion_add
from tests.annotation.api.conftest import Login, rows_of
from tests.factories import make_annotator, make_campaign, make_user, rate_all

CAMP = "/api/v1/campaigns/camp"

pytestmark = pytest.mark.django_db


def test_annotators_with_what_they_did_and_without_their_names(login: Login) -> None:
    campaign = make_campaign(items=2, k=2)
    rate_all(make_annotator(campaign, "bob"))
    answer = login("vera").get(f"{CAMP}/annotators")
    [row] = answer.json()["results"]
    assert (row["code"], row["sheets_done"], row["judgments_counted"]) == ("A01", 2, 8)
    assert datetime.fromisoformat(row["last_at"])
    assert b"bob" not in answer.content


@pytest.mark.parametrize("kind", ["annotator", "phrase", "item", "substitution", "system"])
def test_every_kind_of_target_is_excluded_and_taken_back(login: Login, kind: str) -> None:
    campaign = make_campaign(items=2)
    make_annotator(campaign)
    target: Any = getattr(campaign, f"{kind}s").first()
    dora = login("dora")
    body = {"target": kind, "target_key": str(target.key), "reason": "A test."}
    made = dora.post(f"{CAMP}/exclusions", body)
    assert made.status_code == 201, made.content
    again = dora.post(f"{CAMP}/exclusions", body)
    assert (again.status_code, again.json()["code"]) == (400, "invalid")
    [row] = rows_of(dora, f"{CAMP}/exclusions")
    assert (row["target"], row["target_key"], row["created_by"]) == (kind, str(target.key), "dora")
    assert row["ends_at"] is None
    lifted = dora.delete(f"{CAMP}/exclusions/{row['key']}")
    assert lifted.status_code == 200
    assert lifted.json()["ends_at"] is not None
    assert len(rows_of(dora, f"{CAMP}/exclusions")) == 1


def test_what_is_not_of_the_campaign_cannot_be_excluded(login: Login) -> None:
    make_campaign(items=1)
    other = make_campaign("other", items=1)
    item = other.items.get()
    alice = login("alice")
    for key in (item.key, uuid4()):
        body = {"target": "item", "target_key": str(key), "reason": "A test."}
        assert alice.post(f"{CAMP}/exclusions", body).status_code == 404
    foreign = exclusion_add(target=item, reason="A test.", actor=None)
    assert alice.delete(f"{CAMP}/exclusions/{foreign.key}").status_code == 404
    foreign.refresh_from_db()
    assert foreign.ends_at is None


def test_pages_of_exclusions_cost_the_same_for_many(login: Login) -> None:
    campaign = make_campaign(items=8)
    vera = login("vera")
    counts = []
    for part in (slice(0, 1), slice(1, 8)):
        for item in list(campaign.items.order_by("pk"))[part]:
            exclusion_add(target=item, reason="A test.", actor=make_user("dora"))
        with CaptureQueriesContext(connection) as captured:
            vera.get(f"{CAMP}/exclusions")
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_an_invitation_opens_the_campaign_and_its_link_is_told_once(login: Login) -> None:
    make_campaign()
    dora = login("dora")
    made = dora.post(f"{CAMP}/invitations", {"days": 3, "note": "For Eve"})
    assert made.status_code == 201, made.content
    link = made.json()["link"]
    lasts = datetime.fromisoformat(made.json()["expires_at"]) - Invitation.objects.get().created_at
    assert abs(lasts - timedelta(days=3)) < timedelta(minutes=1)
    listed = dora.get(f"{CAMP}/invitations")
    assert listed.json()["results"][0]["note"] == "For Eve"
    assert link.rstrip("/").rsplit("/", 1)[1].encode() not in listed.content
    eve = login("eve")
    assert eve.post(link).status_code == 302
    assert Membership.objects.get(user__username="eve").role == "annotator"


def test_a_revoked_invitation_opens_nothing(login: Login) -> None:
    make_campaign()
    dora = login("dora")
    made = dora.post(f"{CAMP}/invitations", {"role": "viewer"}).json()
    revoked = dora.delete(f"{CAMP}/invitations/{made['key']}")
    assert revoked.json()["revoked_at"] is not None
    assert login("eve").post(made["link"]).status_code == 404
    assert dora.delete(f"{CAMP}/invitations/{uuid4()}").status_code == 404


@pytest.mark.parametrize(
    "body", [{"role": "owner"}, {"role": "x"}, {"days": 0}, {"days": 10**9}, {"max_uses": 0}]
)
def test_invitations_out_of_bounds_are_refused(login: Login, body: dict[str, Any]) -> None:
    make_campaign()
    assert login("dora").post(f"{CAMP}/invitations", body).status_code == 400
    assert not Invitation.objects.exists()


def test_links_are_for_those_who_invite(login: Login) -> None:
    make_campaign()
    for name in ("vera", "bob"):
        assert login(name).get(f"{CAMP}/invitations").status_code == 403
        assert login(name).post(f"{CAMP}/invitations", {}).status_code == 403

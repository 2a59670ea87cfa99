"""What an annotator can reach is the same, whoever made the texts and whatever their role."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from annotation.models import Output, Substitution, System
from annotation.services.claiming import claim_next
from tests.factories import PASSWORD, make_annotator, make_campaign, rate_sheet

pytestmark = pytest.mark.django_db
CHANGING = re.compile(
    r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"|X-CSRFToken&quot;: &quot;\w+'
    r'|name="(?:id\.[\w.-]+|remark\.id)" value="[\w-]+"'
    r'|name=\\"(?:id\.[\w.-]+|remark\.id)\\" value=\\"[\w-]+\\"'
    r'|name=\\"csrfmiddlewaretoken\\" value=\\"\w+\\"'
)


def answers(client: Client, slug: str, sheets: list[str]) -> dict[str, str]:
    """Every annotator-facing answer, without the tokens that change with each request."""
    found = {}
    where = [
        "/",
        f"/rate/{slug}/",
        f"/rate/{slug}/own/",
        f"/rate/{slug}/notice/",
        f"/rate/{slug}/practice/",
        f"/rate/{slug}/consent/",
        f"/rate/{slug}/background/",
        f"/rate/{slug}/withdraw/",
        f"/c/{slug}/guidelines/",
        f"/c/{slug}/guidelines/?fragment=1&q=judge",
        f"/api/v1/me?campaign={slug}",
    ]
    where += [f"/api/v1/campaigns/{slug}/progress/own", "/api/v1/campaigns"]
    for key in sheets:
        where += [f"/rate/{slug}/{key}/", f"/api/v1/sheets/{key}"]
        where += [f"/api/v1/sheets/{key}?fragment=1"]
    for one in where:
        answer = client.get(one)
        assert answer.status_code == 200, one
        found[one] = CHANGING.sub("", answer.content.decode())
    claimed = client.post(f"/api/v1/campaigns/{slug}/claim")
    found["claim"] = claimed.content.decode()
    return found


def test_answers_do_not_depend_on_systems_or_roles() -> None:
    campaign = make_campaign(items=4, k=2, allow_revision=True)
    bob = make_annotator(campaign, "bob")
    ben = make_annotator(campaign, "ben")
    other = claim_next(annotator=ben)
    rate_sheet(ben, other, 1)
    first = claim_next(annotator=bob)
    assert first is not None
    rate_sheet(bob, first)
    second = claim_next(annotator=bob)
    assert second is not None
    client = Client()
    client.login(username="bob", password=PASSWORD)
    sheets = [str(first.key), str(second.key)]
    before = answers(client, campaign.slug, sheets)

    for number, system in enumerate(System.objects.filter(campaign=campaign)):
        system.label = f"renamed {number}"
        system.save()
    roles = ["control", "degraded", "copy", "output"]
    for number, text in enumerate(Substitution.objects.filter(campaign=campaign)):
        text.role = roles[number % 4]
        text.save()
    Output.objects.filter(item__campaign=campaign).delete()
    after = answers(client, campaign.slug, sheets)
    assert before == after

    everything = " ".join(before.values())
    for secret in ("S0", "S1", ben.code, "control", "degraded", "surplus"):
        assert not re.search(rf"\b{secret}\b", everything), secret

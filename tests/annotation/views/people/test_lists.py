"""The page of fixed lists."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.models import WorkList
from annotation.selectors.collecting.lists import list_order
from tests.factories import make_annotator, make_campaign, make_user

pytestmark = pytest.mark.django_db


def test_lists_are_pasted_chosen_handed_on_and_taken_off(client: Client) -> None:
    campaign = make_campaign(items=2, open_it=False)
    bob = make_annotator(campaign)
    client.force_login(make_user("alice"))
    page = "/c/camp/lists/"
    wrong = client.post(page, {"act": "file", "text": "annotator,item\nnobody,item-0\n"})
    assert wrong.status_code == 422
    assert "lists:2:" in wrong.content.decode()
    assert client.post(page, {"act": "file"}).status_code == 422
    text = "list\titem\nlate\titem-0\nlate\titem-1\n"
    assert client.post(page, {"act": "file", "text": text}).status_code == 302
    assert client.post(page, {"act": "where", "lists": "listed"}).status_code == 302
    assert list_order(campaign_id=campaign.pk) == "listed"
    shown = client.get(page).content.decode()
    assert "late" in shown and "waits" in shown
    late = WorkList.objects.get()
    handed = client.post(f"{page}{late.key}/", {"act": "hand", "to": bob.key})
    assert handed.status_code == 302
    mine = WorkList.objects.get()
    assert (mine.annotator, mine.entries.count()) == (bob, 2)
    client.post(f"{page}{mine.key}/", {"act": "drop"})
    assert mine.entries.count() == 0

"""What annotators said about texts, for researchers."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.annotation.services.collecting.said import say
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db


def test_researchers_read_them(place) -> None:
    bob, sheet = place
    say(bob, sheet, "<b>odd</b>", flagged=True)
    client = Client()
    client.login(username="alice", password=PASSWORD)
    page = client.get(f"/c/{bob.campaign.slug}/remarks/").content.decode()
    assert "&lt;b&gt;odd&lt;/b&gt;" in page
    assert f"/items/{sheet.item.key}/" in page

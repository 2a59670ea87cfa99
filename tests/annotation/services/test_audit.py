"""The log is written with the change that it tells of, or not at all."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from annotation.models import AuditEntry
from annotation.services.audit import audit
from tests.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db


def test_an_entry_names_who_did_what_to_which_row() -> None:
    campaign, alice = make_campaign(items=1, open_it=False), make_user("alice")
    item = campaign.items.get()
    audit(actor=alice, verb="look at", about=item, campaign=campaign, seen=3)
    entry = AuditEntry.objects.get(verb="look at")
    assert (entry.actor, entry.campaign, entry.object_type, entry.object_id, entry.data) == (
        alice, campaign, "item", str(item.pk), {"seen": 3},
    )  # fmt: skip


@pytest.mark.parametrize("nobody", [None, AnonymousUser()])
def test_commands_and_visitors_have_no_name(nobody: AnonymousUser | None) -> None:
    campaign = make_campaign(items=1, open_it=False)
    assert audit(actor=nobody, verb="open", about=campaign, campaign=None).actor is None


def test_what_is_rolled_back_is_in_no_log() -> None:
    campaign = make_campaign(items=1, open_it=False)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        audit(actor=None, verb="divide", about=campaign, campaign=campaign)
        _ = 1 / 0
    assert not AuditEntry.objects.filter(verb="divide").exists()

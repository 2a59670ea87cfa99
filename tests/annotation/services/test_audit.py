"""The log is written with the change that it tells of, or not at all."""

from annotation.database import audit
from annotation.models import AuditEntry
from annotation.people.exclusions import exclusion_add
from tests.clients import client_of, text_of
from tests.factories import make_annotator, make_user


def test_an_entry_names_whom_it_is_about(campaign):
    """A login by its account, which may be deleted; an annotator by the code."""
    alice, annotator = make_user("alice"), make_annotator(campaign)
    exclusion_add(target=annotator, reason="A test.", actor=alice)
    audit(actor=alice, verb="look at", about=annotator, campaign=campaign)
    audit(actor=alice, verb="look at", about=campaign.items.get(), campaign=campaign)
    found = list(AuditEntry.objects.order_by("pk").values_list("verb", "about", "person"))[-3:]
    assert found == [
        ("exclude", annotator.code, None),
        ("look at", annotator.code, None),
        ("look at", "", None),
    ]
    role = AuditEntry.objects.filter(verb="set role", person__username="bob").get()
    shown = text_of(client_of("alice").get("/c/camp/audit/"))
    assert "About whom" in shown and annotator.code in shown
    assert role.actor == alice and "alice set role bob" in shown

"""The pages of groups and quotas, and of inviting many."""

from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Annotator, Invitation, WorkRule
from tests.clients import client_of, messages_of, text_of
from tests.factories import make_annotator
from tests.letters import sent

INVITE = "/c/camp/people/invite-many/"


def test_numbers_groups_and_who_is_in_them_are_set(campaign):
    bob = make_annotator(campaign)
    alice = client_of("alice")

    def act(act, **more):
        return alice.post("/c/camp/groups/", {"act": act, **more}).status_code

    act("rule", sheets_at_least="2", largest_share="0.5")
    assert WorkRule.objects.get().largest_share == 0.5
    act("group", name="Experts", sheets_at_most="9")
    group = campaign.work_groups.get()
    act("join", annotator=bob.key, group=group.key)
    assert Annotator.objects.get().group == group
    page = text_of(alice.get("/c/camp/groups/"))
    assert "Experts" in page and "2 missing" in page
    assert act("rule", sheets_at_least="2", sheets_at_most="1") == 422
    assert act("x") == 400


def test_people_are_invited_by_a_file_or_pasted(campaign):
    alice = client_of("alice")
    file = SimpleUploadedFile("people.csv", b"Bob,bob@example.org\nBen,ben@example.org\n")
    page = alice.post(INVITE, {"days": "3", "by_mail": "on", "file": file})
    assert page.status_code == 200 and "/join/" in text_of(page)
    assert mail.outbox == [] and len(sent()) == 2
    links = alice.post(INVITE, {"days": "3", "people": "Beth"})
    assert "Beth" in text_of(links)
    assert Invitation.objects.count() == 3
    assert "ben@example.org" in text_of(alice.get("/c/camp/people/"))
    reminded = alice.post("/c/camp/people/remind/")
    assert "/join/" in text_of(reminded) and len(sent()) == 4


def test_problems_are_told_and_nobody_is_invited(campaign):
    alice = client_of("alice")
    page = alice.post(INVITE, {"days": "3", "people": "Bob,bob@example.org\nBen,ben"})
    assert page.status_code == 422
    assert "people:2: ben is no e-mail address" in text_of(page)
    for form in ({}, {"people": "Bob", "by_mail": "on"}):
        assert alice.post(INVITE, {"days": "3", **form}).status_code == 422
    assert not Invitation.objects.exists()
    nobody = alice.post("/c/camp/people/remind/", follow=True)
    assert messages_of(nobody) == ["Everybody who was invited by e-mail has come."]

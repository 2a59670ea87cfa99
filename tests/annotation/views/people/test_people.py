"""Members, groups, lists, consent, questions and withdrawal on their pages."""

import re

from django.core import mail

from annotation.models import (
    Annotator,
    BackgroundQuestion,
    Exclusion,
    Invitation,
    Membership,
    Withdrawal,
    WorkList,
    WorkRule,
)
from annotation.sheets.sql import list_order
from tests.annotation.claimed import working
from tests.annotation.views.people.answered import PAGE
from tests.clients import client_of, messages_of, text_of, upload
from tests.factories import make_annotator, make_campaign, make_user
from tests.letters import sent

PEOPLE = "/c/camp/people/"
INVITE = {"role": "annotator", "days": "3", "max_uses": "2", "note": "For Eve"}


def test_an_invitation_link_is_shown_once_and_works_until_it_is_revoked(campaign):
    dora = client_of("dora")
    page = dora.post(f"{PEOPLE}invite/", INVITE)
    [link] = re.findall('id="link">([^<]+)<', page.content.decode())
    listed = dora.get(PEOPLE)
    assert "For Eve" in text_of(listed) and link not in listed.content.decode()
    assert client_of("eve").post(link).status_code == 302
    made = Invitation.objects.get()
    assert (made.uses, made.max_uses) == (1, 2)
    page = dora.post(f"/c/camp/invitations/{made.key}/revoke/", follow=True)
    assert "The link no longer works" in messages_of(page)[0]
    assert client_of("fay").post(link).status_code == 404
    assert Membership.objects.filter(user=make_user("eve")).exists()
    assert dora.post(f"{PEOPLE}invite/", {**INVITE, "role": "owner"}).status_code == 422
    assert Invitation.objects.get() == made


def test_owners_set_roles_and_one_owner_stays(campaign):
    def give(user, role):
        address = f"{PEOPLE}{make_user(user).pk}/role/"
        answer = client_of("alice").post(address, {"role": role}, follow=True)
        member = campaign.memberships.filter(user=make_user(user)).first()
        said = messages_of(answer) if answer.redirect_chain else []
        return answer.status_code, member and member.role, said

    assert give("vera", "researcher") == (200, "researcher", ["The role of vera was set."])
    assert give("vera", "") == (200, None, ["The role of vera was set."])
    assert give("bob", "king")[:2] == (400, "annotator")
    assert give("charlie", "viewer")[:2] == (404, None)
    _, role, [refusal] = give("alice", "viewer")
    assert role == "owner" and "owner" in refusal
    # Who steps down is led where they may be.
    give("dora", "owner")
    answer = client_of("alice").post(f"{PEOPLE}{make_user('alice').pk}/role/", {"role": "viewer"})
    assert answer["Location"] == "/"


def test_an_annotator_is_left_out_and_taken_in_again(campaign):
    dora = client_of("dora")
    assert "exclude/" not in dora.get(PEOPLE).content.decode(), "there is nobody yet"
    bob = make_annotator(campaign)
    form = {"annotator": str(bob.key), "reason": "in a hurry"}
    link = f"{PEOPLE}?exclude={bob.key}"
    assert link in dora.get(f"{PEOPLE}{bob.key}/").content.decode()
    assert f'<option value="{bob.key}" selected>' in dora.get(link).content.decode()
    page = dora.post(f"{PEOPLE}exclude/", form, follow=True)
    assert "Left out from now on" in messages_of(page)[0] and "in a hurry" in text_of(page)
    again = dora.post(f"{PEOPLE}exclude/", form, follow=True)
    assert "banner error" in again.content.decode() and Exclusion.objects.count() == 1
    lifted = dora.post(f"/c/camp/exclusions/{Exclusion.objects.get().key}/lift/", follow=True)
    assert messages_of(lifted)[0].startswith("Lifted")
    assert Exclusion.objects.get().ends_at is not None
    assert dora.post(f"{PEOPLE}exclude/", {**form, "reason": ""}).status_code == 422


MANY = "/c/camp/people/invite-many/"


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
    file = upload("people.csv", b"Bob,bob@example.org\nBen,ben@example.org\n")
    page = alice.post(MANY, {"days": "3", "by_mail": "on", "file": file})
    assert page.status_code == 200 and "/join/" in text_of(page)
    assert mail.outbox == [] and len(sent()) == 2
    links = alice.post(MANY, {"days": "3", "people": "Beth"})
    assert "Beth" in text_of(links)
    assert Invitation.objects.count() == 3
    assert "ben@example.org" in text_of(alice.get("/c/camp/people/"))
    reminded = alice.post("/c/camp/people/remind/")
    assert "/join/" in text_of(reminded) and len(sent()) == 4


def test_problems_are_told_and_nobody_is_invited(campaign):
    alice = client_of("alice")
    page = alice.post(MANY, {"days": "3", "people": "Bob,bob@example.org\nBen,ben"})
    assert page.status_code == 422
    assert "people:2: ben is no e-mail address" in text_of(page)
    for form in ({}, {"people": "Bob", "by_mail": "on"}):
        assert alice.post(MANY, {"days": "3", **form}).status_code == 422
    assert not Invitation.objects.exists()
    nobody = alice.post("/c/camp/people/remind/", follow=True)
    assert messages_of(nobody) == ["Everybody who was invited by e-mail has come."]


def test_lists_are_pasted_chosen_handed_on_and_taken_off():
    campaign = make_campaign(items=2, open_it=False)
    bob, alice = make_annotator(campaign), client_of("alice")

    def act(act, **more):
        return alice.post("/c/camp/lists/", {"act": act, **more})

    wrong = act("file", text="annotator,item\nnobody,item-0\n")
    assert wrong.status_code == 422 and "lists:2:" in wrong.content.decode()
    assert act("file").status_code == 422
    assert act("file", text="list\titem\nlate\titem-0\nlate\titem-1\n").status_code == 302
    assert act("where", lists="listed").status_code == 302
    assert list_order(campaign_id=campaign.pk) == "listed"
    shown = text_of(alice.get("/c/camp/lists/"))
    assert "late" in shown and "waits" in shown
    for form, entries in (({"act": "hand", "to": bob.key}, 2), ({"act": "drop"}, 0)):
        alice.post(f"/c/camp/lists/{WorkList.objects.get().key}/", form)
        one = WorkList.objects.get()
        assert (one.annotator, one.entries.count()) == (bob, entries)


def test_the_page_publishes_texts_and_says_who_agreed(campaign):
    dora = client_of("dora")
    page = dora.post("/c/camp/consent/", {"text": "# Please *read*"}, follow=True)
    assert "everybody is asked again" in messages_of(page)[0]
    page = dora.post("/c/camp/consent/", {"text": "# Please *read*"}, follow=True)
    assert messages_of(page) == ["The text is unchanged."]
    client_of("bob").post("/rate/camp/consent/", {"version": "1"})
    dora.post("/c/camp/consent/", {"text": "Newer"})
    page = dora.get("/c/camp/consent/?version=1")
    text = text_of(page)
    assert "the old version 1" in text and "1 annotator agrees" in text, text
    assert dora.get("/c/camp/consent/?version=9").status_code == 404


def test_the_page_shows_codes_and_no_names(answered):
    text = text_of(client_of("dora").get(PAGE))
    for words in ("How old are you?", "Danish", "Czech, Dutch", "would rather not say", "A01"):
        assert words in text
    assert not any(name in text for name in ("bob", "ben", "beth"))
    assert PAGE in client_of("dora").get("/c/camp/consent/").content.decode()


def test_the_page_adds_changes_moves_hides_and_removes(campaign):
    dora, at = client_of("dora"), "/c/camp/questions/"
    assert "Nothing is asked." in text_of(dora.get(PAGE))

    def names():
        return [row.name for row in BackgroundQuestion.objects.all()]

    for wording in ("One?", "Two?"):
        form = {"wording": wording, "kind": "choice", "options": "a\nb", "name": ""}
        page = dora.post(f"{at}new/", form, follow=True)
        assert messages_of(page) == ["The question was added."]
    assert dora.post(f"{at}new/", {"wording": "W?", "kind": "choice"}).status_code == 422
    one, two = BackgroundQuestion.objects.all()
    for _ in range(2):  # It stays at the top.
        dora.post(f"{at}{two.key}/act/", {"act": "up"})
        assert names() == ["q2", "q1"]
    assert dora.get(f"{at}{one.key}/").status_code == 200
    dora.post(f"{at}{one.key}/", {"wording": "Uno?", "kind": "text", "name": "uno"})
    dora.post(f"{at}{two.key}/act/", {"act": "hide"})
    page = text_of(dora.get("/c/camp/consent/"))
    assert 0 < page.index("Two? hidden") < page.index("Uno?")
    make_annotator(campaign)
    client_of("bob").post("/rate/camp/background/", {})
    page = dora.get(f"{at}{BackgroundQuestion.objects.get(name='uno').key}/")
    assert "Somebody has already answered it" in text_of(page)
    dora.post(f"{at}{two.key}/act/", {"act": "remove"})
    assert names() == ["uno"]


def test_the_page_asks_twice_and_says_what_happens(begun_campaign):
    bob = working(begun_campaign)
    client = client_of("bob")
    assert "Withdraw from this campaign" in text_of(client.get("/rate/camp/own/"))
    page = client.post("/rate/camp/withdraw/", {"judgments": "remove"})
    assert page.status_code == 422 and "nothing has happened yet" in text_of(page)
    assert not Withdrawal.objects.exists()
    form = {"judgments": "remove", "sure": "1", "erase": "1"}
    page = client.post("/rate/camp/withdraw/", form, follow=True)
    assert messages_of(page) == ["You no longer take part in Camp."]
    assert "/rate/camp/" not in page.content.decode()
    assert client.get("/rate/camp/own/").status_code == 404
    people = text_of(client_of("dora").get("/c/camp/people/"))
    assert f"{bob.code} " in people and "out of every statistic erased" in people
    assert "Lift for" not in people
    assert "withdrawn out of statistics" in text_of(client_of("dora").get("/c/camp/board/"))


def test_whoever_has_not_begun_has_nothing_to_withdraw(begun_campaign):
    page = client_of("bob").post("/rate/camp/withdraw/", {"sure": "1"})
    assert "not begun" in text_of(page) and not Annotator.objects.exists()

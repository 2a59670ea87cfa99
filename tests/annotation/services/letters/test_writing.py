"""What is stored of a letter, in which language it is, and with whom it goes."""

from django.core import mail

from annotation.models import Letter
from annotation.people.exclusions import annotator_withdraw
from annotation.people.membership import invitation_accept
from annotation.people.stored_data import account_erase
from tests.annotation.services.letters.test_sending import send, states, write
from tests.annotation.services.people.test_inviting import invite, person
from tests.factories import make_user
from tests.letters import sent


def test_the_database_has_no_link_that_opens(campaign):
    [bob] = invite(campaign, person("bob"))
    for row in Letter.objects.values():
        assert bob.link not in str(row)
    sent()
    assert bob.link in mail.outbox[0].body and Letter.objects.get().sealed == ""


def test_a_lost_key_is_told(settings):
    write()
    settings.SECRET_KEY = "another"
    assert send() == 0
    assert "key" in Letter.objects.get(status="refused").why


def test_the_reader_s_language(campaign):
    """Annotators read that of the texts, others that of the page."""
    campaign.language = "de"
    campaign.save()
    invite(campaign, person("ann"), person("rea", role="researcher"))
    ann, rea = sent()
    assert ann.subject.startswith("Einladung") and rea.subject.startswith("Invitation")


def test_an_erased_person_s_letters_go(campaign):
    nora, _ben = invite(campaign, person("nora"), person("ben"))
    sent()
    user = make_user("nora", email="NORA@example.org")
    invitation_accept(token=nora.link, user=user)
    write("nora@example.org"), write("b2@example.org", user=user)
    annotator_withdraw(annotator=campaign.annotators.get(user=user), judgments="keep", erase=True)
    assert set(states()) == {"ben@example.org", "nora@example.org", "b2@example.org"}
    account_erase(user=user, typed="nora", actor=user)
    assert set(states()) == {"ben@example.org"}

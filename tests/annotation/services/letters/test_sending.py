"""Letters are kept until a mail server accepts them; what it refuses is told; links stay valid."""

import socket
from datetime import timedelta

import pytest
from django.core import mail

from annotation.errors import NotFound
from annotation.mail import emails
from annotation.mail.emails import (
    RETENTION,
    Mail,
    NotSent,
    Postman,
    letter_write,
    letters_expire,
    letters_send,
)
from annotation.models import Invitation, Letter, ReminderRule
from annotation.people.background import reminders_send, reminders_set
from annotation.people.exclusions import annotator_withdraw
from annotation.people.membership import invitation_revoke, remind
from annotation.people.stored_data import account_erase
from paraanno import clock
from tests.annotation.services.people.test_membership import invite, person
from tests.factories import join, make_user
from tests.letters import pass_time, sent
from tests.smtp import by_smtp, mail_server


def send():
    return letters_send(postman=Postman())


def write(to="a@example.org", **more):
    return letter_write(kind=Letter.Kind.TEST, to=to, subject="S", text="secret link", **more)


def states():
    return dict(Letter.objects.order_by("pk").values_list("to", "status"))


def by_hand(campaign):
    remind(campaign=campaign, link_of=str, actor=None)


def by_rule(campaign):
    reminders_set(campaign=campaign, days=3, at_most=2, site="https://a.example", actor=None)
    later = clock.now() + timedelta(days=4)
    for _ in range(2):  # The one that waits is not written again.
        reminders_send(rule_pk=ReminderRule.objects.get().pk, now=later)


@pytest.mark.parametrize("remind_them", [by_hand, by_rule])
def test_a_link_works_until_the_next_one_has_arrived(campaign, settings, remind_them):
    """Both work while nobody knows whether the server took the letter; then the old one ends."""
    ben, zoe = invite(campaign, person("ben"), person("zoe"))
    assert len(sent()) == 2
    first = Invitation.objects.get(email="ben@example.org").sent_at
    by_smtp(settings)  # The server is away.
    remind_them(campaign)
    assert send() == 0
    letter = Letter.objects.get(to="ben@example.org", status="waiting")
    assert "cannot be reached" in letter.why and letter.attempts == 1
    join(zoe.link, make_user("zoe"))
    assert not Letter.objects.filter(to="zoe@example.org", status="waiting").exists()
    pass_time(minutes=2)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert sent()[-1].to == ["ben@example.org"] and len(mail.outbox) == 3
    assert Invitation.objects.get(email="ben@example.org").sent_at > first
    with pytest.raises(NotFound):
        join(ben.link, make_user("ben"))
    words = [word for word in mail.outbox[-1].body.split() if "/mail/" not in word]
    link = max(words, key=len)
    join(link.strip("/").rpartition("/")[2], make_user("ben"))


def test_the_link_of_a_letter_on_its_way_works_too(campaign, settings):
    """The server may have taken it, and the answer was lost."""
    invite(campaign, person("ben"))
    sent()
    tokens = []
    remind(campaign=campaign, link_of=lambda token: tokens.append(token) or token, actor=None)
    join(tokens[0], make_user("ben"))
    assert send() == 0


def test_what_a_server_says_is_waited_for_or_told(settings):
    for name in ("fine", "later", "never", "spam"):
        write(f"{name}@example.org")
    write("bad\naddress@example.org")
    with mail_server(settings) as server:
        assert send() == 1
        assert server.connections == 1 and len(server.got) == 1
        assert [one["status"] for one in Letter.objects.order_by("pk").values("status")] == [
            "sent",
            "waiting",
            "refused",
            "refused",
            "refused",
        ]
        why = dict(Letter.objects.values_list("to", "why"))
        assert why["fine@example.org"] == ""
        assert "451 mailbox busy" in why["later@example.org"]
        assert "550 5.1.1 no such mailbox" in why["never@example.org"]
        assert "554 5.7.1 not wanted" in why["spam@example.org"]
        assert set(Letter.objects.exclude(status="waiting").values_list("sealed", flat=True)) == {
            ""
        }
    pass_time(minutes=2)
    assert send() == 0  # Nobody listens.
    assert "cannot be reached" in Letter.objects.get(status="waiting").why


def test_a_worker_that_died_after_the_server_accepted_sends_it_again_under_the_same_id(settings):
    """At least once, and mail programs can tell that it is the same."""
    write()

    class Killed(BaseException):
        pass

    def killed(*args):
        raise Killed

    with mail_server(settings) as server:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(emails, "_accepted", killed)
            postman = Postman()
            with pytest.raises(Killed):
                letters_send(postman=postman)
            postman.close()
        assert send() == 0  # Another one leaves it alone while the first may be at work.
        pass_time(minutes=2)
        assert send() == 1
        first, second = server.got
    assert first["Message-ID"] == second["Message-ID"] and "@localhost" in first["Message-ID"]
    assert send() == 0


def test_a_frozen_worker_that_wakes_closes_what_it_sent_and_puts_nothing_off(settings):
    letter = write()
    by_smtp(settings)
    taken = emails._take()
    pass_time(minutes=2)
    other = emails._take()
    assert (taken.pk, other.attempts) == (letter.pk, 2)
    emails._not_sent(taken, NotSent("old"))
    assert Letter.objects.get().why == ""
    assert emails._accepted(taken) and not emails._accepted(other)
    assert states() == {"a@example.org": "sent"}


def test_two_workers_that_read_twice_send_once(monkeypatch):
    """The second one has read the letter before the first one takes it."""
    write()
    first = Letter.objects.filter
    looked = []

    def raced(*args, **kwargs):
        rows = first(*args, **kwargs)
        if kwargs.get("pk") and not looked:
            looked.append(1)
            assert emails._take() is not None
        return rows

    monkeypatch.setattr(Letter.objects, "filter", raced)
    assert emails._take() is None and looked


def test_what_is_over_is_not_sent(campaign):
    made = invite(campaign, *(person(name) for name in ("revoked", "used", "ended", "kept")))
    for name, act in (
        ("revoked", lambda one: invitation_revoke(invitation=one, actor=None)),
        ("used", lambda one: join(made[1].link, make_user("used"))),
        ("ended", lambda one: Letter.objects.filter(invitation=one).update(until=clock.now())),
    ):
        act(Invitation.objects.get(email=f"{name}@example.org"))
    assert [one.to for one in sent()] == [["kept@example.org"]]
    assert states() == {"ended@example.org": "refused", "kept@example.org": "sent"}


def test_what_was_closed_long_ago_is_deleted():
    write()
    sent()
    write("b@example.org")
    letters_expire()
    pass_time(days=RETENTION.days + 1)
    letters_expire()
    assert set(states()) == {"b@example.org"}


MAIL = {"key": "k", "to": "a@example.org", "subject": "S", "text": "T", "headers": {}}


@pytest.mark.parametrize(
    ("login", "said"), [(True, "refuses the login"), (False, "cannot be reached")]
)
def test_a_server_that_lets_nobody_in_holds_all_back_at_once(settings, login, said, monkeypatch):
    write(), write("b@example.org")
    opened = []

    class Closed:
        def open(self):
            opened.append(1)
            raise emails.smtplib.SMTPAuthenticationError(535, b"no") if login else OSError("gone")

    monkeypatch.setattr(emails, "get_connection", Closed)
    assert send() == 0
    assert len(opened) == 1 and all(
        said in why for why in Letter.objects.values_list("why", flat=True)
    )


def test_a_connection_that_breaks_is_made_anew(settings):
    with mail_server(settings) as server:
        postman = Postman()
        postman.send(Mail(**MAIL))
        postman._connection.connection.sock.shutdown(socket.SHUT_RDWR)
        with pytest.raises(NotSent) as failure:
            postman.send(Mail(**MAIL))
        assert not failure.value.refused
        postman.send(Mail(**MAIL))
        assert server.connections == 2
        postman.close()


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
    join(nora.link, user)
    write("nora@example.org"), write("b2@example.org", user=user)
    annotator_withdraw(annotator=campaign.annotators.get(user=user), judgments="keep", erase=True)
    assert set(states()) == {"ben@example.org", "nora@example.org", "b2@example.org"}
    account_erase(user=user, typed="nora", actor=user)
    assert set(states()) == {"ben@example.org"}

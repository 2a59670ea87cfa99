"""Letters go over one connection; one that fails stops no other, and no page."""

import threading
from smtplib import SMTPException

from django.core import mail
from django.core.mail import EmailMessage
from django.utils import translation

from annotation.services.accounts import letters
from annotation.services.accounts.letters import Letter, later, letters_send


def test_what_fails_is_told(monkeypatch):
    send = EmailMessage.send

    def some(self, *args):
        if self.to == ["b@example.org"]:
            raise SMTPException
        return int(send(self, *args))

    monkeypatch.setattr(EmailMessage, "send", some)
    three = [Letter(f"{name}@example.org", "S", "T") for name in "abc"]
    assert letters_send(three) == [True, False, True]
    assert [one.to for one in mail.outbox] == [["a@example.org"], ["c@example.org"]]

    class Away:
        def open(self):
            raise OSError

    monkeypatch.setattr(letters, "get_connection", Away)
    assert letters_send(three) == [False] * 3


def test_work_is_done_later_in_the_language_of_the_page():
    said = []
    done = threading.Event()

    def work():
        said.extend([translation.get_language(), threading.current_thread().name])
        done.set()

    with translation.override("ko"):
        later(lambda: 1 / 0)
        later(work)
    assert done.wait(30)
    assert said[0] == "ko" and said[1] != threading.current_thread().name

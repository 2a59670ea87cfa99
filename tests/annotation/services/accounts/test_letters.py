"""Letters go over one connection; one that fails stops no other, and no page."""

from __future__ import annotations

import threading
from smtplib import SMTPException
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.utils import translation

from annotation.services.accounts import letters
from annotation.services.accounts.letters import Letter, later, letters_send


def test_what_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    send: Any = EmailMessage.send

    def some(self: EmailMessage, *args: Any) -> int:
        if self.to == ["b@example.org"]:
            raise SMTPException
        return int(send(self, *args))

    monkeypatch.setattr(EmailMessage, "send", some)
    three = [Letter(f"{name}@example.org", "S", "T") for name in "abc"]
    assert letters_send(three) == [True, False, True]
    assert [one.to for one in mail.outbox] == [["a@example.org"], ["c@example.org"]]

    class Away:
        def open(self) -> None:
            raise OSError

    monkeypatch.setattr(letters, "get_connection", Away)
    assert letters_send(three) == [False] * 3


def test_work_is_done_later_in_the_language_of_the_page() -> None:
    said: list[str | None] = []
    done = threading.Event()

    def work() -> None:
        said.extend([translation.get_language(), threading.current_thread().name])
        done.set()

    with translation.override("ko"):
        later(lambda: 1 / 0)  # type: ignore[arg-type, return-value]
        later(work)
    assert done.wait(30)
    assert said[0] == "ko" and said[1] != threading.current_thread().name

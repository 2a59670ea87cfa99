"""Handing e-mails to the mail server, and what its answers mean.

A letter is refused if the server answers with a code from 500 about its recipient or its text.
Everything else may pass: no connection, no answer, a refused login or sender (which an
administrator can mend), codes of the 400s ("try again later").
"""

from __future__ import annotations

import smtplib
from dataclasses import dataclass
from email.errors import MessageError
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection

from paraanno.plain.sentence import say

FOR_GOOD = 500


class NotSent(Exception):
    """The letter was not accepted; `why` is a sentence, `refused`: it never will be."""

    def __init__(self, why: str, *, refused: bool = False) -> None:
        super().__init__(why)
        self.why = why
        self.refused = refused


class Away(NotSent):
    """The server cannot be reached, or lets this site in not at all: no letter can be sent now."""


@dataclass(frozen=True, slots=True)
class Mail:
    """What a mail server gets; the `key` makes the same Message-ID at each attempt."""

    key: str
    to: str
    subject: str
    text: str
    headers: dict[str, str]


class Postman:
    """A connection to the mail server, opened for the first letter and kept for the next ones."""

    def __init__(self) -> None:
        self._connection: Any = None

    def send(self, mail: Mail) -> None:
        """Send one e-mail. Raises NotSent, or Away if the server cannot be reached."""
        try:
            message = _message(mail)
            message.message()
        except (ValueError, UnicodeError, MessageError) as error:
            raise NotSent(
                say("The e-mail cannot be written: %(about)s", about=_about(error)), refused=True
            ) from error
        if self._connection is None:
            self._open()
        message.connection = self._connection
        try:
            message.send()
        except smtplib.SMTPResponseException as error:
            refused = error.smtp_code >= FOR_GOOD and isinstance(error, smtplib.SMTPDataError)
            self._give_up_if_gone(error.smtp_code)
            raise NotSent(_answered(error.smtp_code, error.smtp_error), refused=refused) from error
        except smtplib.SMTPRecipientsRefused as error:
            code, answer = next(iter(error.recipients.values()))
            self._give_up_if_gone(code)
            refused = code >= FOR_GOOD and code != _LOGIN_WANTED
            raise NotSent(_answered(code, answer), refused=refused) from error
        except (smtplib.SMTPException, OSError) as error:
            self.close()
            raise NotSent(
                say("The mail server broke off: %(about)s", about=_about(error)),
                refused=isinstance(error, smtplib.SMTPNotSupportedError),
            ) from error

    def close(self) -> None:
        """End the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except (smtplib.SMTPException, OSError):
                return

    def _open(self) -> None:
        connection = get_connection()
        try:
            connection.open()
        except smtplib.SMTPAuthenticationError as error:
            raise Away(
                say("The mail server refuses the login of this site: %(answer)s",
                    answer=_answered(error.smtp_code, error.smtp_error))
            ) from error  # fmt: skip
        except (smtplib.SMTPException, OSError) as error:
            raise Away(
                say("The mail server cannot be reached: %(about)s", about=_about(error))
            ) from error
        self._connection = connection

    def _give_up_if_gone(self, code: int) -> None:
        """421: the server closes the connection, as after many letters."""
        if code == _CLOSING:
            self.close()


_CLOSING, _LOGIN_WANTED = 421, 530


def _message(mail: Mail) -> EmailMessage:
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].strip(" >") or "localhost"
    headers = {**mail.headers, "Message-ID": f"<{mail.key}@{domain}>"}
    return EmailMessage(mail.subject, mail.text, to=[mail.to], headers=headers)


def _answered(code: int, answer: bytes | str) -> str:
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else str(answer)
    return f"{code} {' '.join(text.split())}"[:300]


def _about(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__

"""E-mails to owners of accounts, and work that a page does not wait for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from smtplib import SMTPException

from django.core.mail import EmailMessage, get_connection
from django.db import connection
from django.utils import translation

log = logging.getLogger(__name__)
_clerk = ThreadPoolExecutor(max_workers=1, thread_name_prefix="letters")


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter to one address."""

    to: str
    subject: str
    text: str


def letters_send(letters: Sequence[Letter]) -> list[bool]:
    """Send them over one connection, outside any transaction; return which ones went."""
    mail = get_connection()
    try:
        mail.open()
    except (SMTPException, OSError) as error:
        log.warning("the e-mail server cannot be reached: %s", type(error).__name__)
        return [False] * len(letters)
    sent = []
    for one in letters:
        message = EmailMessage(one.subject, one.text, to=[one.to], connection=mail)
        try:
            sent.append(bool(message.send()))
        except (SMTPException, OSError) as error:  # Its text may name the person.
            log.warning("a letter could not be sent: %s", type(error).__name__)
            sent.append(False)
    mail.close()
    return sent


def later(work: Callable[[], None]) -> None:
    """Do it in a thread, in the language of the page: the time it takes reveals nothing to whoever
    asked."""
    language = translation.get_language() or "en"
    _clerk.submit(_do, work, language)


def _do(work: Callable[[], None], language: str) -> None:
    try:
        with translation.override(language):
            work()
    except Exception:
        log.exception("a letter was not written")
    finally:
        connection.close()

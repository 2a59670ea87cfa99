"""Sending letters: what a thread of each worker does, one letter after the other.

A letter is taken by a compare-and-set that moves its `next_at` on, sent outside any transaction,
and closed. A process that dies between the server's acceptance and the closing leaves the letter
due: it is sent again, with the same Message-ID and the same links. So a letter arrives at least
once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta

from django.db.models import Case, F, Value, When

from annotation.models import Invitation, Letter
from annotation.services.letters import UNFOLD
from annotation.services.letters.post import Away, Mail, NotSent, Postman
from annotation.services.letters.writing import content_of
from annotation.services.transactions import short_write
from paraanno import clock
from paraanno.plain.sentence import say
from paraanno.plain.sentence_columns import columns

log = logging.getLogger(__name__)
Guard = Callable[[], AbstractContextManager[object]]
# Longer than any attempt takes: the server's silence ends each of its steps (EMAIL_TIMEOUT).
TAKEN_FOR = timedelta(seconds=100)
# When it is tried again, by its age: (younger than, after).
HOUR = timedelta(hours=1)
AGAIN = ((HOUR, timedelta(minutes=1)), (24 * HOUR, timedelta(minutes=10)))
AGAIN_LATER = HOUR
KEPT = timedelta(days=90)  # after it was closed


def letters_send(
    *, postman: Postman, guard: Guard = nullcontext, over: Callable[[], bool] = lambda: False
) -> int:
    """Send all that are due, until it is `over`; return how many the server accepted.

    `guard` is entered around every use of the database, never around a talk with the server.
    """
    accepted = 0
    while not over():
        with guard():
            letter = _take()
            content = content_of(letter) if letter is not None and letter.sealed else None
        if letter is None:
            break
        try:
            if content is None:
                raise NotSent(
                    say("The site's key was changed: nobody can read the stored text."),
                    refused=True,
                )
            postman.send(Mail(str(letter.key), letter.to, letter.subject, *content))
        except NotSent as failure:
            # Its words may name the person.
            log.warning("a letter was not sent: %s", type(failure.__cause__ or failure).__name__)
            with guard():
                _not_sent(letter, failure)
            continue
        with guard():
            accepted += _accepted(letter)
    postman.close()
    return accepted


def _take() -> Letter | None:
    """The letter that waits longest of those tried least often, for this process alone."""
    while True:
        now = clock.now()
        due = Letter.objects.filter(status=Letter.Status.WAITING, next_at__lte=now)
        letter = due.select_related("campaign").order_by("attempts", "pk").first()
        if letter is None:
            return None
        mine = Letter.objects.filter(
            pk=letter.pk, status=Letter.Status.WAITING, attempts=letter.attempts,
            next_at=letter.next_at,
        )  # fmt: skip
        if letter.kind in UNFOLD:
            with short_write():
                if mine.delete()[0]:
                    UNFOLD[letter.kind](letter)
        elif letter.until is not None and letter.until <= now:
            _close(letter, Letter.Status.REFUSED, say("Its link had ended before it was accepted."))
        else:
            with short_write():
                taken = mine.update(next_at=now + TAKEN_FOR, attempts=F("attempts") + 1)
            if taken:
                letter.attempts += 1
                return letter


def _accepted(letter: Letter) -> bool:
    """Close it, and let the invitation's earlier link end: the new one has arrived.

    Whoever took it meanwhile as lost sends it a second time; it was accepted all the same.
    """
    with short_write():
        if not _close(letter, Letter.Status.SENT, ""):
            return False
        if letter.invitation_id is not None:
            arrived = {"token_hash": letter.token_hash} if letter.token_hash else {}
            Invitation.objects.filter(pk=letter.invitation_id).update(
                sent_at=clock.now(), **arrived
            )
    return True


def _not_sent(letter: Letter, failure: NotSent) -> None:
    """Close it, or put it off; if the server is away, so are the others that are due: none of them
    need find out by itself."""
    if failure.refused:
        _close(letter, Letter.Status.REFUSED, failure.why)
        return
    now, rows = clock.now(), Letter.objects.filter(status=Letter.Status.WAITING)
    values = columns("why", failure.why) | {
        "next_at": Case(
            *(When(created_at__gt=now - age, then=Value(now + wait)) for age, wait in AGAIN),
            default=Value(now + AGAIN_LATER),
        )
    }
    with short_write():
        rows.filter(pk=letter.pk, attempts=letter.attempts).update(**values)
        if isinstance(failure, Away):
            due = rows.filter(next_at__lte=now).exclude(kind__in=UNFOLD)
            due.update(**values, attempts=F("attempts") + 1)


def _close(letter: Letter, status: Letter.Status, why: str) -> int:
    with short_write():
        return Letter.objects.filter(pk=letter.pk, status=Letter.Status.WAITING).update(
            status=status, closed_at=clock.now(), sealed="", **columns("why", why)
        )


def letters_expire() -> None:
    """Delete what was closed long ago: a letter names a person."""
    with short_write():
        Letter.objects.filter(closed_at__lt=clock.now() - KEPT).delete()

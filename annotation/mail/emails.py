"""E-mails: written beside what causes them, sent by workers; and who may see which: of a campaign,
of the site, of an account.
"""

from __future__ import annotations

import json
import logging
import smtplib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.errors import MessageError
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage, get_connection
from django.db.models import Case, Count, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.campaigns.overview import Courses, Need
from annotation.database import Actor, audit, opened, sealed, short_write
from annotation.errors import NotFound
from annotation.models import BoardAlarm, Campaign, Invitation, Letter, Membership
from annotation.models.fields import token_digest
from paraanno import clock
from paraanno.common.records import columns
from paraanno.common.texts import say
from paraanno.template_filters import translated

# By kind, what becomes of a row that is no letter yet: a worker finds out who gets one, in a
# transaction, and deletes it.
UNFOLD: dict[str, Callable[[Letter], None]] = {}


# Handing e-mails to the mail server, and what its answers mean.
#
# A letter is refused if the server answers with a code from 500 about its recipient or its text.
# Everything else may pass: no connection, no answer, a refused login or sender (which an
# administrator can mend), codes of the 400s ("try again later").


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
                say(
                    "The mail server refuses the login of this site: %(answer)s",
                    answer=_answered(error.smtp_code, error.smtp_error),
                )
            ) from error
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


# Writing letters: rows that a worker sends; nothing of it talks to a mail server.


SEAL = "letter"


def letter_write(
    *,
    kind: Letter.Kind,
    to: str,
    subject: str,
    text: str,
    campaign: Campaign | None = None,
    user: User | None = None,
    invitation: Invitation | None = None,
    alarm: BoardAlarm | None = None,
    headers: Mapping[str, str] | None = None,
    until: datetime | None = None,
    token: str = "",
) -> Letter:
    """Write a letter inside the transaction of what causes it. A worker sends it until a mail
    server has accepted or refused it, or until its link has ended (`until`).

    `user` is whose account it goes to: the letter goes with it. `campaign` shows it on the page of
    the campaign's letters. `token` is that of a new link to an invitation: both links work until
    the letter was accepted, and then only the new one. Write subject and text in the language of
    whoever reads them (`of_campaign`).
    """
    content = json.dumps({"text": text, "headers": dict(headers or {})})
    return Letter.objects.create(
        kind=kind,
        to=to,
        subject=" ".join(subject.split())[:300],
        sealed=sealed(content, what=SEAL),
        campaign=campaign,
        user=user,
        invitation=invitation,
        alarm=alarm,
        until=until,
        token_hash=token_digest(token) if token else "",
    )


def owner_notify(*, user: User, subject: str, text: str) -> None:
    """Write to the owner of an account that something about it was changed, if there is an address:
    whoever changed it, the owner hears of it."""
    if not user.email:
        return
    advice = _(
        "If it was not you: log in, look at the page of your account, change your password, and "
        "tell an administrator of the site."
    )
    with short_write():
        letter_write(
            kind=Letter.Kind.NOTICE,
            to=user.email,
            subject=subject,
            text=f"{text}\n\n{advice}\n",
            user=user,
        )


def content_of(letter: Letter) -> tuple[str, dict[str, str]] | None:
    """Return text and headers; None if the key that encrypted them is lost."""
    content = opened(letter.sealed, what=SEAL)
    if content is None:
        return None
    data = json.loads(content)
    return data["text"], data["headers"]


@contextmanager
def of_campaign(campaign: Campaign, *, role: str = Membership.Role.ANNOTATOR) -> Iterator[None]:
    """Write in the language of whoever has this role: annotators read that of the texts; others,
    and those of a language that pages are not in, the one of the page."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    if role == Membership.Role.ANNOTATOR and campaign.language:
        with suppress(LookupError):
            language = translation.get_supported_language_variant(campaign.language.lower())
    with translation.override(language):
        yield


def letters_forget(rows: QuerySet[Letter]) -> None:
    """Delete those that wait: what they are about is over. Inside the caller's transaction."""
    rows.filter(status=Letter.Status.WAITING).delete()


def letter_discard(*, letter: Letter, actor: Actor) -> None:
    """Delete a letter: one that waits is not sent any more, a refused one needs nobody."""
    with short_write():
        audit(
            actor=actor,
            verb="discard letter",
            about=letter,
            campaign=letter.campaign,
            kind=letter.kind,
            status=letter.status,
        )
        letter.delete()


def letter_test(*, to: str, actor: Actor) -> Letter:
    """Write a test e-mail, for administrators."""
    subject = _("Test e-mail")
    text = _(
        "This is the test e-mail that an administrator of paraanno asked for. E-mails of the site "
        "arrive.\n"
    )
    with short_write():
        letter = letter_write(kind=Letter.Kind.TEST, to=to, subject=subject, text=text)
        audit(actor=actor, verb="send test e-mail", about=letter, campaign=None)
    return letter


# Sending letters: what a thread of each worker does, one letter after the other.
#
# A letter is taken by a compare-and-set that moves its `next_at` on, sent outside any transaction,
# and closed. A process that dies between the server's acceptance and the closing leaves the letter
# due: it is sent again, with the same Message-ID and the same links. So a letter arrives at least
# once.


log = logging.getLogger(__name__)
Guard = Callable[[], AbstractContextManager[object]]
# Longer than any attempt takes: the server's silence ends each of its steps (EMAIL_TIMEOUT).
TAKEN_FOR = timedelta(seconds=100)
# When it is tried again, by its age: (younger than, after).
HOUR = timedelta(hours=1)
AGAIN = ((HOUR, timedelta(minutes=1)), (24 * HOUR, timedelta(minutes=10)))
AGAIN_LATER = HOUR
RETENTION = timedelta(days=90)  # after it was closed


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
        unchanged = Letter.objects.filter(
            pk=letter.pk,
            status=Letter.Status.WAITING,
            attempts=letter.attempts,
            next_at=letter.next_at,
        )
        if letter.kind in UNFOLD:
            with short_write():
                if unchanged.delete()[0]:
                    UNFOLD[letter.kind](letter)
        elif letter.until is not None and letter.until <= now:
            _close(letter, Letter.Status.REFUSED, say("Its link had ended before it was accepted."))
        else:
            with short_write():
                taken = unchanged.update(next_at=now + TAKEN_FOR, attempts=F("attempts") + 1)
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
        Letter.objects.filter(closed_at__lt=clock.now() - RETENTION).delete()


Kind, Status = Letter.Kind, Letter.Status
LATE, DAY = timedelta(minutes=15), timedelta(days=1)


# Reading letters.


def letters_of(*, campaign: Campaign) -> QuerySet[Letter]:
    """The campaign's letters, newest first."""
    return Letter.objects.filter(campaign=campaign)


def letters_of_site(*, status: str = "") -> QuerySet[Letter]:
    """All letters, newest first, of one status if it is named; for administrators. What strangers
    type on the page of forgotten passwords is no letter yet."""
    rows = Letter.objects.exclude(kind=Kind.FORGOTTEN).select_related("campaign", "user")
    return rows.filter(status=status) if status in Status.values else rows


def letters_of_account(*, user: User) -> QuerySet[Letter]:
    """Letters with links that an administrator or the owner asked for, newest first."""
    return Letter.objects.filter(user=user, kind__in=[Kind.PASSWORD, Kind.ADDRESS])


def address_letter(*, user: User) -> Letter | None:
    """The letter with the link to a new address, while that address is not the account's."""
    rows = Letter.objects.filter(user=user, kind=Kind.ADDRESS, until__gt=clock.now())
    last = rows.first()
    return None if last is None or last.to == user.email else last


def letter_get(*, key: Any, campaign: Campaign | None = None) -> Letter:
    """One letter, of the campaign if one is named. Raises NotFound."""
    rows = Letter.objects.select_related("campaign").filter(key=key)
    letter = (rows if campaign is None else rows.filter(campaign=campaign)).first()
    if letter is None:
        raise NotFound(_("There is no such e-mail."))
    return letter


def with_letter(invitations: QuerySet[Invitation]) -> QuerySet[Any]:
    """Annotate `letter`, the status of the newest letter, and `letter_why`."""
    last = Letter.objects.filter(invitation=OuterRef("pk"))
    return invitations.annotate(
        letter=Subquery(last.values("status")[:1]), letter_why=Subquery(last.values("why")[:1])
    )


@dataclass(frozen=True, slots=True)
class Undelivered:
    """Letters that wait, those of them that were tried, and refused ones; with a newest reason."""

    waiting: int
    late: int
    refused: int
    why: str


def late_letters() -> tuple[int, int, int]:
    """How many e-mails have waited for longer than LATE, and how many were refused and sent within
    a day; one query."""
    now = clock.now()
    today = Q(closed_at__gte=now - DAY)
    totals = Letter.objects.exclude(kind=Kind.FORGOTTEN).aggregate(
        late=Count(Value(1), filter=Q(status=Status.WAITING, created_at__lt=now - LATE)),
        refused=Count(Value(1), filter=today & Q(status=Status.REFUSED)),
        sent=Count(Value(1), filter=today & Q(status=Status.SENT)),
    )
    return totals["late"], totals["refused"], totals["sent"]


WAITS = Q(status=Status.WAITING)
COUNTS = {
    "waiting": Count(Value(1), filter=WAITS),
    "late": Count(Value(1), filter=WAITS & ~Q(why="")),
    "refused": Count(Value(1), filter=~WAITS),
}


def undelivered() -> Undelivered:
    """What did not arrive, on the entire site; two queries."""
    totals = _unsent().aggregate(**COUNTS)
    newest = _newest(_unsent()).first() if any(totals.values()) else None
    return Undelivered(**totals, why=newest.sentence if newest else "")


def undelivered_in(*, campaigns: Collection[Campaign]) -> dict[Campaign, Undelivered]:
    """What did not arrive, in each campaign; two queries for any number of them."""
    rows = _unsent().filter(campaign__in=campaigns).order_by().values("campaign_id")
    undelivered = rows.annotate(**COUNTS).values_list("campaign_id", *COUNTS)
    counts = {pk: (waiting, late, refused) for pk, waiting, late, refused in undelivered}
    last = _newest(_unsent().filter(campaign=OuterRef("pk"))).values("pk")[:1]
    newest = Campaign.objects.filter(pk__in=counts).annotate(last=Subquery(last)).values("last")
    letters = Letter.objects.filter(pk__in=newest) if counts else ()
    why = {letter.campaign_id: letter.sentence for letter in letters}
    return {
        one: Undelivered(*counts.get(one.pk, (0, 0, 0)), why.get(one.pk, "")) for one in campaigns
    }


def _unsent() -> QuerySet[Letter]:
    return Letter.objects.exclude(kind=Kind.FORGOTTEN).exclude(status=Status.SENT)


def _newest(rows: QuerySet[Letter]) -> QuerySet[Letter]:
    return rows.exclude(why="").order_by("status", "-pk")


# Letters in words: how far they got, and what needs attention.


# The state of several letters is the one that needs most.
WORST = (Letter.Status.REFUSED, Letter.Status.WAITING, Letter.Status.SENT)


def letters_state(letters: Iterable[Letter]) -> list[str]:
    """The state of letters that went to several people for one cause; nothing if there are none."""
    states = {letter.status for letter in letters}
    return [str(one.label) for one in WORST if one in states][:1]


def letter_needs(courses: Courses) -> Iterator[tuple[Campaign, Need]]:
    """Letters that were refused, or that the mail server has not taken; two queries."""
    for campaign, totals in undelivered_in(campaigns=courses).items():
        yield from ((campaign, need) for need in _needs(totals))


def _needs(undelivered: Undelivered) -> Iterator[Need]:
    why = translated(undelivered.why)
    if undelivered.refused:
        yield Need(
            "now",
            ngettext("%(n)s e-mail was refused", "%(n)s e-mails were refused", undelivered.refused)
            % {"n": undelivered.refused},
            why,
            "letters",
            _("Look"),
            "research",
        )
    if undelivered.late:
        yield Need(
            "soon",
            ngettext(
                "%(n)s e-mail waits for the mail server",
                "%(n)s e-mails wait for the mail server",
                undelivered.late,
            )
            % {"n": undelivered.late},
            "" if undelivered.refused else why,
            "letters",
            _("Look"),
            "research",
        )

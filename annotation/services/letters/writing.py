"""Writing letters: rows that a worker sends (`sending.py`); nothing here talks to a mail server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from annotation.models import BoardAlarm, Campaign, Invitation, Letter, Membership
from annotation.models.fields import token_digest
from annotation.services.audit import Actor, audit
from annotation.services.sealing import opened, sealed
from annotation.services.transactions import short_write

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
        kind=kind, to=to, subject=" ".join(subject.split())[:300],
        sealed=sealed(content, what=SEAL), campaign=campaign, user=user, invitation=invitation,
        alarm=alarm, until=until, token_hash=token_digest(token) if token else "",
    )  # fmt: skip


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
            kind=Letter.Kind.NOTICE, to=user.email, subject=subject, text=f"{text}\n\n{advice}\n",
            user=user,
        )  # fmt: skip


def content_of(letter: Letter) -> tuple[str, dict[str, str]] | None:
    """Return text and headers; None if the key that encrypted them is lost."""
    content = opened(letter.sealed, what=SEAL)
    if content is None:
        return None
    found = json.loads(content)
    return found["text"], found["headers"]


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
            actor=actor, verb="discard letter", about=letter, campaign=letter.campaign,
            kind=letter.kind, status=letter.status,
        )  # fmt: skip
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

"""How the owner of an account gives it another address: by a link that goes to it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Letter
from annotation.selectors.access import refuse_participant
from annotation.services.accounts.counts import count
from annotation.services.audit import Actor, audit
from annotation.services.letters.writing import letter_write
from annotation.services.transactions import short_write
from paraanno import clock

SALT = "annotation.email"
PER_EMAIL, WINDOW = 5, 3600  # letters asked for, seconds


def email_ask(*, user: User, email: str, link_of: Callable[[str], str]) -> None:
    """Send a link to the new address, which becomes the account's once the link is opened."""
    count("email-of", str(user.pk), most=PER_EMAIL, seconds=WINDOW)
    email = User.objects.normalize_email(email.strip())
    token = signing.dumps([user.pk, email, _state(user)], salt=SALT)
    text = _(
        "Confirm by this link that this address belongs to the account %(name)s:\n\n%(link)s\n\n"
        "If you know nothing of it, do not open the link.\n"
    ) % {"name": user.get_username(), "link": link_of(token)}
    until = clock.now() + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)
    with short_write():
        letter_write(
            kind=Letter.Kind.ADDRESS, to=email, subject=_("Confirm your e-mail address"), text=text,
            user=user, until=until,
        )  # fmt: skip


def email_confirm(*, user: User, token: str) -> str:
    """Give the account the address of the link; return it. The old address is notified.

    Raises NotFound for a link of somebody else, a used or old one; a new password ends it, too.
    """
    try:
        number, email, state = signing.loads(
            token, salt=SALT, max_age=settings.PASSWORD_RESET_TIMEOUT
        )
    except (signing.BadSignature, ValueError) as error:
        raise NotFound(_("This link is not valid (any more).")) from error
    if number != user.pk:
        raise NotFound(_("This link is not valid (any more)."))
    with short_write():
        stored = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if state != _state(stored):
            raise NotFound(_("This link is not valid (any more)."))
        before, stored.email = stored.email, email
        stored.save(update_fields=["email"])
        _notify_before(user, before)
        audit(actor=user, verb="change e-mail", about=user, campaign=None)
    return str(email)


def email_set(*, user: User, email: str, actor: Actor) -> None:
    """Set the address of somebody's account, for administrators; the old address is notified.
    NotAllowed for a participant of a panel."""
    refuse_participant(user=user)
    with short_write():
        before, user.email = user.email, User.objects.normalize_email(email.strip())
        user.save(update_fields=["email"])
        if before != user.email:
            _notify_before(user, before)
        audit(actor=actor, verb="change e-mail", about=user, campaign=None)


def _notify_before(user: User, before: str) -> None:
    if before:
        text = _("The e-mail address of your account %(name)s was changed. If it was not you, tell "
                 "an administrator.\n") % {"name": user.get_username()}  # fmt: skip
        letter_write(
            kind=Letter.Kind.NOTICE, to=before, subject=_("Your e-mail address was changed"),
            text=text, user=user,
        )  # fmt: skip


def _state(user: User) -> str:
    """A fingerprint of what a link must not outlive: the old address and password."""
    return salted_hmac(SALT, f"{user.email}:{user.password}", algorithm="sha256").hexdigest()[:24]

"""What owners of accounts do by e-mail: a new password, and another address."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.selectors.access import refuse_participant
from annotation.services.accounts.counts import count
from annotation.services.accounts.letters import Letter, later, letters_send
from annotation.services.accounts.users import LinkOf, password_link
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write

SALT = "annotation.email"
PER_ADDRESS, PER_EMAIL, WINDOW = 20, 5, 3600  # letters asked for, seconds


def reset_ask(*, email: str, link_of: LinkOf, address: str) -> None:
    """Write to whoever has this e-mail, with a link to set a new password.

    Neither the answer nor its time reveals whether anybody has it: accounts are looked up and
    e-mails sent by a thread. Raises TooManyFailures, which counts only the requests.
    """
    count("reset-from", address, most=PER_ADDRESS, seconds=WINDOW)
    count("reset-of", email.strip().casefold(), most=PER_EMAIL, seconds=WINDOW)
    later(lambda: _reset_write(email.strip(), link_of))


def _reset_write(email: str, link_of: LinkOf) -> None:
    """Accounts without a password (single sign-on, panels) get no e-mail, as disabled ones."""
    for user in User.objects.filter(email__iexact=email, is_active=True)[:10]:
        if not user.has_usable_password():
            continue
        text = _(
            "Somebody asked for a new password for your account %(name)s. Set it by this link, "
            "which works once:\n\n%(link)s\n\nIf it was not you, nothing needs to be done.\n"
        ) % {"name": user.get_username(), "link": password_link(user=user, link_of=link_of)}
        letters_send([Letter(user.email, _("A new password"), text)])
        with short_write():
            audit(actor=None, verb="send password link", about=user, campaign=None)


def email_ask(*, user: User, email: str, link_of: Callable[[str], str]) -> None:
    """Send a link to the new address, which becomes the account's once the link is opened."""
    count("email-of", str(user.pk), most=PER_EMAIL, seconds=WINDOW)
    email = User.objects.normalize_email(email.strip())
    token = signing.dumps([user.pk, email, _state(user)], salt=SALT)
    text = _(
        "Confirm by this link that this address belongs to the account %(name)s:\n\n%(link)s\n\n"
        "If you know nothing of it, do not open the link.\n"
    ) % {"name": user.get_username(), "link": link_of(token)}
    letter = Letter(email, _("Confirm your e-mail address"), text)
    later(lambda: _send_one(letter))


def _send_one(letter: Letter) -> None:
    letters_send([letter])


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
        audit(actor=user, verb="change e-mail", about=user, campaign=None)
    if before:
        text = _("The e-mail address of your account %(name)s was changed. If it was not you, tell "
                 "an administrator.\n") % {"name": user.get_username()}  # fmt: skip
        letter = Letter(before, _("Your e-mail address was changed"), text)
        later(lambda: _send_one(letter))
    return str(email)


def email_set(*, user: User, email: str, actor: Actor) -> None:
    """Set the address of somebody's account, for administrators; NotAllowed for a participant of a
    panel."""
    refuse_participant(user=user)
    with short_write():
        user.email = User.objects.normalize_email(email.strip())
        user.save(update_fields=["email"])
        audit(actor=actor, verb="change e-mail", about=user, campaign=None)


def _state(user: User) -> str:
    """A fingerprint of what a link must not outlive: the old address and password."""
    return salted_hmac(SALT, f"{user.email}:{user.password}", algorithm="sha256").hexdigest()[:24]

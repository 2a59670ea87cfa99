"""What administrators do with accounts. Each is in the log, and one administrator always stays."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from annotation.errors import Invalid, NotAllowed
from annotation.importers.people import InvitedPerson
from annotation.models import ApiToken, Letter
from annotation.selectors.access import ADD_RESOURCES, CREATE_CAMPAIGNS, refuse_participant
from annotation.services.accounts.sessions import sessions_drop
from annotation.services.audit import Actor, audit
from annotation.services.letters.writing import letter_write, letters_forget
from annotation.services.people.creators import creation_grant
from annotation.services.people.inviting import MOST_AT_ONCE
from annotation.services.people.membership import name_free
from annotation.services.transactions import short_write
from paraanno import clock

LinkOf = Callable[[str, str], str]  # from the account's id and a token, as text


@dataclass(frozen=True, slots=True)
class NewAccount:
    """An account with the link by which its owner sets a password, and whether a letter takes
    it."""

    user: User
    link: str
    by_mail: bool


def user_create(*, name: str, email: str, actor: Actor) -> User:
    """Create an account that has no password yet. Raises Invalid for a name that does not do."""
    try:
        UnicodeUsernameValidator()(name)
    except ValidationError as error:
        raise Invalid(" ".join(error.messages)) from error
    user = User(username=User.normalize_username(name), email=User.objects.normalize_email(email))
    user.set_unusable_password()
    with short_write():
        if not name_free(name):
            raise Invalid(_("The name %(name)s is taken: choose another one.") % {"name": name})
        try:
            user.save()
        except IntegrityError as error:
            raise Invalid(
                _("The name %(name)s is taken: choose another one.") % {"name": name}
            ) from error
        audit(actor=actor, verb="create account", about=user, campaign=None)
    return user


def users_create(
    *,
    people: Sequence[InvitedPerson],
    creates: bool,
    by_mail: bool,
    link_of: LinkOf,
    actor: Actor,
) -> list[NewAccount]:
    """Create an account for each person, all or none, and a link to set its password.

    The login is the name if there is one, else the e-mail. With `creates` they may create
    campaigns. With `by_mail` each is written a letter with the link.
    """
    if not 1 <= len(people) <= MOST_AT_ONCE:
        raise Invalid(_("Invite from 1 to %(most)s people at once.") % {"most": MOST_AT_ONCE})
    if by_mail and not all(one.email for one in people):
        raise Invalid(_("Nobody can be sent an e-mail without an address."))
    made = []
    with short_write():
        for one in people:
            name = login_name(one.name or one.email)
            user = user_create(name=name, email=one.email, actor=actor)
            if creates:
                creation_grant(user=user)
            link = password_link(user=user, link_of=link_of)
            if by_mail:
                password_letter(user, _("Your account"), _(
                    "You have an account here. Its name is %(name)s.\n\nSet a password by this "
                    "link, which works once:\n\n%(link)s\n"
                ) % {"name": user.get_username(), "link": link})  # fmt: skip
            made.append(NewAccount(user, link, by_mail))
    return made


def password_letter(user: User, subject: str, text: str) -> None:
    """Write a letter with a link to set a password, inside the caller's transaction."""
    until = clock.now() + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)
    letter_write(
        kind=Letter.Kind.PASSWORD, to=user.email, subject=subject, text=text, user=user, until=until
    )


def login_name(text: str) -> str:
    """Return a name for a login: the text, in which white space becomes dots."""
    return re.sub(r"\s+", ".", text.strip())[:150]


def link_maker(site: str) -> LinkOf:
    """Return what makes links to set a password; they begin with the address `site`."""
    return lambda number, token: site + reverse("password-reset-confirm", args=[number, token])


def password_link(*, user: User, link_of: LinkOf) -> str:
    """Return a link by which a password can be set, once, within PARAANNO_LINK_HOURS."""
    number = urlsafe_base64_encode(force_bytes(user.pk))
    return link_of(number, default_token_generator.make_token(user))


def reset_by_admin(*, user: User, by_mail: bool, link_of: LinkOf, actor: Actor) -> str:
    """Make a link for a new password; return it. With `by_mail` the account is written a letter.

    The old password works until a new one is set. Raises NotAllowed for a participant of a panel.
    """
    refuse_participant(user=user)
    if by_mail and not user.email:
        raise Invalid(_("Nobody can be sent an e-mail without an address."))
    if not user.is_active:
        raise Invalid(_("The account is disabled: enable it first."))
    link = password_link(user=user, link_of=link_of)
    text = _(
        "An administrator made this link for you, %(name)s. It sets a new password and works "
        "once:\n\n%(link)s\n"
    ) % {"name": user.get_username(), "link": link}
    with short_write():
        if by_mail:
            password_letter(user, _("A new password"), text)
        audit(actor=actor, verb="make password link", about=user, campaign=None)
    return link


def user_enable(*, user: User, active: bool, actor: Actor) -> None:
    """Disable an account, which ends its sessions and tokens at once, or enable it again."""
    with short_write():
        if not active:
            _another_admin(user)
            ApiToken.objects.filter(user=user).delete()
            letters_forget(Letter.objects.filter(user=user))
        user.is_active = active
        user.save(update_fields=["is_active"])
        audit(
            actor=actor, verb="enable account" if active else "disable account", about=user,
            campaign=None,
        )  # fmt: skip


def doors_close(*, user: User, actor: Actor) -> tuple[int, int]:
    """End all sessions and API tokens of the account; return how many of each."""
    with short_write():
        sessions = sessions_drop(user=user)
        tokens, _rows = ApiToken.objects.filter(user=user).delete()
        audit(
            actor=actor, verb="end sessions and tokens", about=user, campaign=None,
            sessions=sessions, tokens=tokens,
        )  # fmt: skip
    return sessions, tokens


def creation_set(*, user: User, on: bool, actor: Actor) -> None:
    """Give the right to create campaigns and resources, or take it (a group's stays)."""
    with short_write():
        if on:
            creation_grant(user=user)
        else:
            names = [name.partition(".")[2] for name in (CREATE_CAMPAIGNS, ADD_RESOURCES)]
            user.user_permissions.remove(*Permission.objects.filter(codename__in=names))
        verb = "give right to create" if on else "take right to create"
        audit(actor=actor, verb=verb, about=user, campaign=None)


def administrator_set(*, user: User, on: bool, actor: Actor) -> None:
    """Make the account an administrator of the site, or no longer one."""
    if on:
        refuse_participant(user=user)
    with short_write():
        if not on:
            _another_admin(user)
        user.is_superuser = user.is_staff = on
        user.save(update_fields=["is_superuser", "is_staff"])
        verb = "make administrator" if on else "end administrator"
        audit(actor=actor, verb=verb, about=user, campaign=None)


def _another_admin(user: User) -> None:
    """Raise NotAllowed if nobody else administers the site; all of them are locked meanwhile."""
    admins = User.objects.select_for_update(no_key=True).filter(is_superuser=True, is_active=True)
    keys = list(admins.order_by("pk").values_list("pk", flat=True))
    if keys == [user.pk]:
        raise NotAllowed(_("The site needs an administrator: make another one first."))

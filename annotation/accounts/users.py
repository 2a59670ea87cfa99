"""Accounts of the site, for administrators."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.db.models import (
    Count,
    DateTimeField,
    Exists,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import salted_hmac
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from annotation.access import ADD_RESOURCES, CREATE_CAMPAIGNS, creation_grant, refuse_participant
from annotation.accounts.login import count, live_sessions, sessions_drop
from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Invalid, NotAllowed, NotFound
from annotation.importers.gold import InvitedPerson
from annotation.mail.emails import content_of, letter_write, letters_forget
from annotation.models import ApiToken, Letter, OutsideLogin, SecondFactor, SignedIn
from annotation.models.panels import PARTICIPANT_LOGIN, PARTICIPANTS
from paraanno import clock

STATES = ("", "active", "disabled", "never", "crowd")
RIGHTS = ("", "admin", "create", "factor")


def users_found(*, query: str = "", state: str = "", right: str = "") -> QuerySet[User]:
    """Return accounts by name; one query.

    `query` is a part of the name or e-mail. People of crowd platforms are left out but for the
    state "crowd". Each has `sessions`, `tokens`, `seen`, `creates`, `factor` and `outside`.
    """
    users = User.objects.all()
    if query:
        users = users.filter(Q(username__icontains=query) | Q(email__icontains=query))
    users = users.filter(PARTICIPANTS if state == "crowd" else ~PARTICIPANTS)
    users = {
        "active": users.filter(is_active=True),
        "disabled": users.filter(is_active=False),
        "never": users.filter(last_login=None),
    }.get(state, users)
    users = _as_listed(users)
    users = {
        "admin": users.filter(is_superuser=True),
        "create": users.filter(Q(creates=True) | Q(is_superuser=True)),
        "factor": users.filter(second_factor__isnull=False),
    }.get(right, users)
    return users.order_by("username")


def user_get(*, pk: int) -> User:
    """Return the account, described as in the list. Raises NotFound."""
    account = _as_listed(User.objects.filter(pk=pk)).first()
    if account is None:
        raise NotFound(_("There is no such account."))
    return account


def _as_listed(users: QuerySet[User]) -> QuerySet[User]:
    outer = OuterRef("pk")
    codename = CREATE_CAMPAIGNS.partition(".")[2]
    granted = Permission.objects.filter(
        content_type__app_label="annotation", codename=codename
    ).filter(Q(user=outer) | Q(group__user=outer))
    tokens = ApiToken.objects.filter(user=outer).filter(
        Q(expires_at=None) | Q(expires_at__gt=clock.now())
    )
    seen = SignedIn.objects.filter(user=outer).order_by().values("user").annotate(n=Max("seen_at"))
    return users.annotate(
        sessions=_count(live_sessions().filter(user=outer)),
        tokens=_count(tokens),
        seen=Coalesce(Subquery(seen.values("n"), output_field=DateTimeField()), "last_login"),
        creates=Exists(granted),
        factor=Exists(SecondFactor.objects.filter(user=outer)),
        outside=Exists(OutsideLogin.objects.filter(user=outer)),
    )


def _count(rows: QuerySet[Any]) -> Coalesce:
    number = rows.order_by().values("user").annotate(n=Count("*")).values("n")
    return Coalesce(Subquery(number, output_field=IntegerField()), 0)


# What administrators do with accounts. Each is in the log, and one administrator always stays.


MOST_AT_ONCE = 200  # accounts, or invitations
LinkOf = Callable[[str, str], str]  # from the account's id and a token, as text


@dataclass(frozen=True, slots=True)
class NewAccount:
    """An account with the link by which its owner sets a password, and whether a letter takes
    it."""

    user: User
    link: str
    by_mail: bool


def name_free(name: str) -> bool:
    """Whether a login can have the name: nobody has it, in whatever case, nor is it of the kind
    that participants get."""
    if PARTICIPANT_LOGIN.fullmatch(name.casefold()):
        return False
    return not User.objects.filter(username__iexact=name).exists()


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
                password_letter(
                    user,
                    _("Your account"),
                    _(
                        "You have an account here. Its name is %(name)s.\n\nSet a password by this "
                        "link, which works once:\n\n%(link)s\n"
                    )
                    % {"name": user.get_username(), "link": link},
                )
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
            actor=actor,
            verb="enable account" if active else "disable account",
            about=user,
            campaign=None,
        )


def doors_close(*, user: User, actor: Actor) -> tuple[int, int]:
    """End all sessions and API tokens of the account; return how many of each."""
    with short_write():
        sessions = sessions_drop(user=user)
        tokens, _rows = ApiToken.objects.filter(user=user).delete()
        audit(
            actor=actor,
            verb="end sessions and tokens",
            about=user,
            campaign=None,
            sessions=sessions,
            tokens=tokens,
        )
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


# Forgotten passwords: a link by e-mail.


PER_ADDRESS, PER_EMAIL, WINDOW = 20, 5, 3600  # letters asked for, seconds


def reset_ask(*, email: str, site: str, address: str) -> None:
    """Write to whoever has this e-mail, with a link to set a new password. `site` is the address
    that links begin with, and `address` whose request it is.

    Neither the answer nor its time reveals whether anybody has it: a row is written in any case,
    and a worker looks accounts up. Raises TooManyFailures, which counts only the requests.
    """
    count("reset-from", address, most=PER_ADDRESS, seconds=WINDOW)
    count("reset-of", email.strip().casefold(), most=PER_EMAIL, seconds=WINDOW)
    with short_write():
        letter_write(
            kind=Letter.Kind.FORGOTTEN,
            to=email.strip(),
            subject="",
            text=json.dumps({"site": site, "language": translation.get_language()}),
        )


def reset_write(request: Letter) -> None:
    """Write the letters that a request led to, inside the caller's transaction.

    Accounts without a password (single sign-on, panels) get no e-mail, as disabled ones.
    """
    content = content_of(request)
    if content is None:
        return
    details = json.loads(content[0])
    with translation.override(details["language"]):
        for user in User.objects.filter(email__iexact=request.to, is_active=True)[:10]:
            if not user.has_usable_password():
                continue
            link = password_link(user=user, link_of=link_maker(details["site"]))
            password_letter(
                user,
                _("A new password"),
                _(
                    "Somebody asked for a new password for your account %(name)s. Set it by this "
                    "link, which works once:\n\n%(link)s\n\nIf it was not you, nothing needs to be "
                    "done.\n"
                )
                % {"name": user.get_username(), "link": link},
            )
            audit(actor=None, verb="send password link", about=user, campaign=None)


# How the owner of an account gives it another address: by a link that goes to it.


SALT = "annotation.email"
ADDRESSES_PER_EMAIL, ADDRESSES_WINDOW = 5, 3600  # letters asked for, seconds


def email_ask(*, user: User, email: str, link_of: Callable[[str], str]) -> None:
    """Send a link to the new address, which becomes the account's once the link is opened."""
    count("email-of", str(user.pk), most=ADDRESSES_PER_EMAIL, seconds=ADDRESSES_WINDOW)
    email = User.objects.normalize_email(email.strip())
    token = signing.dumps([user.pk, email, _state(user)], salt=SALT)
    text = _(
        "Confirm by this link that this address belongs to the account %(name)s:\n\n%(link)s\n\n"
        "If you know nothing of it, do not open the link.\n"
    ) % {"name": user.get_username(), "link": link_of(token)}
    until = clock.now() + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)
    with short_write():
        letter_write(
            kind=Letter.Kind.ADDRESS,
            to=email,
            subject=_("Confirm your e-mail address"),
            text=text,
            user=user,
            until=until,
        )


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
        stored = lock_row(User, user.pk)
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
        text = _(
            "The e-mail address of your account %(name)s was changed. If it was not you, tell "
            "an administrator.\n"
        ) % {"name": user.get_username()}
        letter_write(
            kind=Letter.Kind.NOTICE,
            to=before,
            subject=_("Your e-mail address was changed"),
            text=text,
            user=user,
        )


def _state(user: User) -> str:
    """A fingerprint of what a link must not outlive: the old address and password."""
    return salted_hmac(SALT, f"{user.email}:{user.password}", algorithm="sha256").hexdigest()[:24]

"""Guests: people who give a name and no password, and come back by a link.

A guest's login is that of a participant (`access.takes_part`): it annotates in one campaign, and
nothing gives it more. Whoever has the link is the guest, so links can be renewed and ended.
"""

from __future__ import annotations

import secrets
import unicodedata

from django.contrib.auth.models import AnonymousUser, User
from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.access import refuse_archived, takes_part
from annotation.accounts.login import sessions_drop
from annotation.database import Actor, audit, short_write
from annotation.errors import Invalid, NotAllowed, NotFound
from annotation.models import Campaign, Guest, Membership
from annotation.models.fields import token_digest
from annotation.models.guests import guest_login
from annotation.people.annotators import invitation_get
from annotation.people.membership import NameTaken, annotator_make, invitation_spend
from paraanno import clock

LONGEST = 60  # letters of a name


def name_read(name: str) -> str:
    """The name as it is stored. Raises Invalid for none, a long one, or one that is no text."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not name or len(name) > LONGEST or not name.isprintable():
        raise Invalid(_("Give a name of 1 to %(most)s letters.") % {"most": LONGEST})
    return name


def _name_key(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def guest_join(*, token: str, name: str) -> tuple[Guest, str]:
    """Make a guest by an invitation that asks for a name alone; return the token of the link back.

    It is "" for a link for one person: the link that was opened brings them back. Raises NotFound
    for a link that is not valid (any more), and NameTaken for the name of another guest here.
    """
    invitation = invitation_get(token=token)
    if not invitation.name_only:
        raise NotAllowed(_("This invitation asks for an account with a password."))
    refuse_archived(invitation.campaign)
    name = name_read(name)
    personal = invitation.max_uses == 1
    back = token if personal else secrets.token_urlsafe(32)
    campaign = invitation.campaign
    user = User(username=guest_login())
    user.set_unusable_password()
    try:
        with short_write():
            if Guest.objects.filter(campaign=campaign, name_key=_name_key(name)).exists():
                raise _taken()
            invitation_spend(invitation)
            user.save()
            Membership.objects.create(campaign=campaign, user=user, role=Membership.Role.ANNOTATOR)
            guest = Guest.objects.create(
                campaign=campaign,
                annotator=annotator_make(campaign, user, invitation=invitation),
                name=name,
                name_key=_name_key(name),
                token_hash=token_digest(back),
            )
            audit(actor=user, verb="join by name", about=guest.annotator, campaign=campaign)
    except IntegrityError as error:
        raise _taken() from error
    return guest, "" if personal else back


def _taken() -> NameTaken:
    return NameTaken(
        _(
            "Somebody here has this name. If it was you, open the link that you got when you "
            "began; otherwise add something to the name."
        )
    )


def guest_with(*, token: str) -> Guest | None:
    """The guest whose link back has the token, while it brings anybody back."""
    rows = Guest.objects.select_related("campaign", "annotator__user")
    guest = rows.filter(token_hash=token_digest(token), revoked_at=None).first()
    if guest is None or guest.annotator.user is None or not guest.annotator.user.is_active:
        return None
    return guest


def guest_of(*, user: User | AnonymousUser) -> Guest | None:
    """The guest whom the login is of."""
    if not user.is_authenticated or not takes_part(user=user):
        return None
    return Guest.objects.select_related("campaign").filter(annotator__user_id=user.pk).first()


def guest_stays(*, guest: Guest) -> bool:
    """Whether the guest still takes part: whoever withdrew, or was removed, does not."""
    members = Membership.objects.filter(campaign=guest.campaign_id)
    return members.filter(user__annotators__guest=guest).exists()


def guest_renew(*, guest: Guest, actor: Actor) -> str:
    """Return the token of a new link back; the old one, also an invitation for one person, stops
    bringing anybody back."""
    refuse_archived(guest.campaign)
    token, now = secrets.token_urlsafe(32), clock.now()
    with short_write():
        changed = Guest.objects.filter(pk=guest.pk).update(
            token_hash=token_digest(token), renewed_at=now, revoked_at=None
        )
        if not changed:
            raise NotFound(_("There is no such guest."))
        audit(actor=actor, verb="renew link back", about=guest.annotator, campaign=guest.campaign)
    return token


def guest_end(*, guest: Guest, actor: Actor) -> None:
    """End the link back, and where the guest is signed in; what they judged stays."""
    with short_write():
        Guest.objects.filter(pk=guest.pk, revoked_at=None).update(revoked_at=clock.now())
        if guest.annotator.user is not None:
            sessions_drop(user=guest.annotator.user)
        audit(actor=actor, verb="end link back", about=guest.annotator, campaign=guest.campaign)


def guests_of(*, campaign: Campaign) -> dict[int | None, Guest]:
    """The campaign's guests by their logins."""
    rows = Guest.objects.filter(campaign=campaign).select_related("annotator")
    return {guest.annotator.user_id: guest for guest in rows}

"""The voice that a request speaks with."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from annotation.models import Annotator, Campaign
from annotation.selectors import quick
from annotation.selectors.access import User, known
from annotation.services.errors import NotAllowed


class WrongAnnotator(NotAllowed):
    """The value was typed by somebody else than who is logged in now: it is not taken."""

    code = "wrong_annotator"


def voice_get(*, user: User, key: UUID) -> Annotator:
    """The user's own voice with this key; one query.

    Raises WrongAnnotator for any other key, also where the user left the campaign.
    """
    user = known(user)
    voice = quick.voice(key=key, user_id=user.pk, everywhere=user.is_superuser)
    if voice is None:
        raise WrongAnnotator(_("You are logged in as somebody else than who gave this answer."))
    return voice


def voice_of(*, campaign: Campaign, user: User) -> Annotator | None:
    """The user's voice in a campaign, None where they have not begun to judge."""
    return Annotator.objects.filter(campaign=campaign, user_id=known(user).pk).first()

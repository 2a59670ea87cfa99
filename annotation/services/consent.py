"""Consent texts, and agreeing to them."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Annotator, Campaign, Consent, ConsentText
from annotation.services.audit import Actor, audit
from annotation.services.errors import Conflict, Invalid
from annotation.services.transactions import short_write


class TextChanged(Conflict):
    """There is a newer text than the one that was read."""

    code = "text_changed"


def consent_text_add(*, campaign: Campaign, text: str, actor: Actor) -> ConsentText | None:
    """A new version; everybody is asked again before their next sheet. None: nothing changed.

    An empty text means that nothing has to be agreed to from now on.
    """
    text = text.strip()
    if "\0" in text:
        raise Invalid(_("A text must not contain the character NUL."))
    with short_write():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        last = campaign.consent_texts.order_by("-version").first()
        if text == (last.text if last else ""):
            return None
        added = ConsentText.objects.create(
            campaign=campaign,
            version=last.version + 1 if last else 1,
            text=text,
            created_by_id=actor.pk if actor else None,
        )
        audit(
            actor=actor, verb="change consent text", about=added, campaign=campaign,
            version=added.version,
        )  # fmt: skip
    return added


def consent_give(*, annotator: Annotator, version: int) -> Consent:
    """The annotator agrees to the version they have read; agreeing again is a no-op.

    Raises TextChanged where there is a newer one.
    """
    with short_write():
        # A new text waits for the agreement, so that nobody agrees to what they have not seen.
        Campaign.objects.select_for_update(no_key=True).get(pk=annotator.campaign_id)
        newest = (
            ConsentText.objects.filter(campaign=annotator.campaign_id).order_by("-version").first()
        )
        if newest is None or newest.version != version:
            raise TextChanged(_("The text was changed meanwhile: please read it again."))
        given, _new = Consent.objects.get_or_create(
            annotator=annotator, text=newest, ended_at=None, defaults={"at": timezone.now()}
        )
    return given

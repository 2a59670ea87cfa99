"""Consent texts, and consent to them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Annotator, Campaign, Consent, ConsentText
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from paraanno import clock


class TextChanged(Conflict):
    """There is a newer text than the one that was read."""

    code = "text_changed"


def consent_text_add(*, campaign: Campaign, text: str, actor: Actor) -> ConsentText | None:
    """Publish a consent text; every annotator is asked again before their next sheet.

    An empty text means that no consent is required. Returns None if nothing changed.
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
    """Record consent to the version that the annotator has read; idempotent.

    Raises TextChanged if there is a newer one.
    """
    with short_write():
        # A new text waits for this transaction, so that nobody agrees to a text they have not seen.
        Campaign.objects.select_for_update(no_key=True).get(pk=annotator.campaign_id)
        newest = (
            ConsentText.objects.filter(campaign=annotator.campaign_id).order_by("-version").first()
        )
        if newest is None or newest.version != version:
            raise TextChanged(_("The text has changed in the meantime: please read it again."))
        given, _new = Consent.objects.get_or_create(
            annotator=annotator, text=newest, ended_at=None, defaults={"at": clock.now()}
        )
    return given

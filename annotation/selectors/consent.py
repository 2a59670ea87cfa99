"""What annotators agree to, and who has agreed."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from annotation.models import Annotator, Campaign, Consent, ConsentText

# Who answers for themselves; voices that were imported or simulated agree to nothing.
PEOPLE = (Annotator.Origin.INVITED, Annotator.Origin.PARTICIPANT)


def consent_newest(*, campaign: Campaign) -> ConsentText | None:
    """The text that is shown now; None where nothing has to be agreed to."""
    newest = campaign.consent_texts.order_by("-version").first()
    return newest if newest is not None and newest.text else None


def consent_of(*, annotator: Annotator) -> Consent | None:
    """What the annotator agreed to last, if that is still in force."""
    rows = Consent.objects.filter(annotator=annotator, ended_at=None).select_related("text")
    return rows.order_by("-text__version").first()


def consent_versions(*, campaign: Campaign) -> QuerySet[ConsentText]:
    """All versions, newest first, with `agreed`, how many agree to each now; one query."""
    agreed = Count("consents", filter=Q(consents__ended_at=None))
    rows = campaign.consent_texts.select_related("created_by").annotate(agreed=agreed)
    return rows.order_by("-version")

"""Consent texts, and who has agreed to them."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from annotation.models import Annotator, Campaign, Consent, ConsentText

# Annotators who give consent themselves; imported and simulated ones do not.
PEOPLE = (Annotator.Origin.INVITED, Annotator.Origin.PARTICIPANT)


def consent_newest(*, campaign: Campaign) -> ConsentText | None:
    """Return the current text; None if no consent is required."""
    newest = campaign.consent_texts.order_by("-version").first()
    return newest if newest is not None and newest.text else None


def consent_of(*, annotator: Annotator) -> Consent | None:
    """Return the annotator's most recent consent if it is in force."""
    rows = Consent.objects.filter(annotator=annotator, ended_at=None).select_related("text")
    return rows.order_by("-text__version").first()


def consent_versions(*, campaign: Campaign) -> QuerySet[ConsentText]:
    """Return all versions, newest first, with `agreed`, the number of consents in force; one
    query.
    """
    agreed = Count("consents", filter=Q(consents__ended_at=None))
    rows = campaign.consent_texts.select_related("created_by").annotate(agreed=agreed)
    return rows.order_by("-version")

"""Withdrawals from a campaign."""

from __future__ import annotations

from django.db.models import Prefetch, QuerySet

from annotation.models import Annotator, Campaign, Withdrawal
from annotation.selectors.access import User, known


def withdrawals(*, campaign: Campaign) -> QuerySet[Withdrawal]:
    """Return all withdrawals of a campaign, newest first, including ended ones; one query."""
    return Withdrawal.objects.filter(campaign=campaign).select_related("annotator")


def withdrawal_of(*, campaign: Campaign, user: User) -> Withdrawal | None:
    """Return the user's own withdrawal if it is in force and the user was not erased."""
    if not user.is_authenticated:
        return None
    mine = Withdrawal.objects.filter(campaign=campaign, annotator__user=known(user))
    return mine.filter(ended_at=None).first()


def withdrawn(annotators: QuerySet[Annotator]) -> QuerySet[Annotator]:
    """Prefetch `left`, the withdrawals in force (one or none), in one more query."""
    in_force = Withdrawal.objects.filter(ended_at=None)
    return annotators.prefetch_related(Prefetch("withdrawals", in_force, "left"))

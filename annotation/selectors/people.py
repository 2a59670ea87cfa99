"""Lists of people."""

from __future__ import annotations

from django.db.models import Case, IntegerField, OuterRef, QuerySet, Subquery, Value, When

from annotation.models import Annotator, Campaign, Membership

RANK = (
    Membership.Role.OWNER,
    Membership.Role.RESEARCHER,
    Membership.Role.VIEWER,
    Membership.Role.ANNOTATOR,
)


def members(*, campaign: Campaign) -> QuerySet[Membership]:
    """Who belongs to the campaign, owners first, with `code`, what exports call them, and
    `voice`, the key of the same; one query.
    """
    voice = Annotator.objects.filter(campaign=campaign, user=OuterRef("user"))
    rank = Case(
        *(When(role=role, then=Value(place)) for place, role in enumerate(RANK)),
        output_field=IntegerField(),
    )
    return (
        campaign.memberships.select_related("user")
        .annotate(
            code=Subquery(voice.values("code")[:1]),
            voice=Subquery(voice.values("key")[:1]),
            rank=rank,
        )
        .order_by("rank", "user__username")
    )

"""The languages of a campaign's texts."""

from __future__ import annotations

from annotation.models import Campaign, Item
from paraanno.plain.language_tags import known_tag


def languages_of(*, campaign: Campaign) -> list[str]:
    """Return the languages of the items, sorted, as tags of BCP 47, an empty one for unknown.

    The campaign's own if it has no items. One query.
    """
    own = Item.objects.filter(campaign=campaign).order_by().values_list("language", flat=True)
    found = {known_tag(tag or campaign.language) for tag in own.distinct()}
    return sorted(found or {campaign.language})


def language_asked(*, campaign: Campaign) -> bool:
    """Whether a campaign without a language has texts without one, or no texts yet; one query."""
    return not campaign.language and "" in languages_of(campaign=campaign)

"""Filtered queries of a campaign's items and judgments."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Campaign, Item, Judgment, Output, Substitution

JUDGMENT_FILTERS = {
    "annotator": "annotator__code",
    "scale": "scale__name",
    "item": "substitution__item__key",
    "substitution": "substitution__key",
    "status": "status",
    "kind": "kind",
    "occasion": "occasion",
    "recorded_from": "recorded_at__gte",
    "recorded_before": "recorded_at__lt",
}


def items_found(*, campaign: Campaign, **wanted: Any) -> QuerySet[Item]:
    """Return the campaign's items with all related rows; a constant number of queries.

    wanted  item (an outside id), phrase (its key), text, system (its label), role
    """
    rows = Item.objects.filter(campaign=campaign)
    if "item" in wanted:
        rows = rows.filter(outside_ids__value=wanted["item"])
    if "phrase" in wanted:
        rows = rows.filter(phrase__key=wanted["phrase"])
    if "text" in wanted:
        rows = rows.filter(sentence__icontains=wanted["text"])
    if "system" in wanted:
        given = Output.objects.filter(system__campaign=campaign, system__label=wanted["system"])
        rows = rows.filter(pk__in=given.exclude(substitution=None).values("item"))
    if "role" in wanted:
        texts = Substitution.objects.filter(campaign=campaign, role=wanted["role"])
        rows = rows.filter(pk__in=texts.values("item"))
    return rows.select_related("phrase", "campaign").prefetch_related(
        "outside_ids", "references", "substitutions__made_from", "outputs__system",
        "outputs__substitution",
    )  # fmt: skip


def item_get(*, campaign: Campaign, key: UUID) -> Item:
    """Return one item. Raises NotFound if the campaign has none with this key."""
    item = items_found(campaign=campaign).filter(key=key).first()
    if item is None:
        raise NotFound(_("There is no such item."))
    return item


def judgments_found(
    *, campaign: Campaign, system: str | None = None, **wanted: Any
) -> QuerySet[Judgment]:
    """Return the campaign's judgments; one query.

    wanted  names of JUDGMENT_FILTERS; `system` is the label of one that made the text
    """
    rows = Judgment.objects.filter(
        campaign=campaign, **{JUDGMENT_FILTERS[name]: value for name, value in wanted.items()}
    )
    if system is not None:
        made = Output.objects.filter(system__campaign=campaign, system__label=system)
        rows = rows.filter(substitution__in=made.values("substitution"))
    return rows.select_related("annotator", "substitution__item", "scale", "guideline")

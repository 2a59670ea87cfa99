"""Fixed lists: who judges what, where a campaign does not hand sheets out from its pool."""

from __future__ import annotations

import secrets

from django.db import models

from annotation.models.campaigns.campaign import Campaign
from annotation.models.campaigns.item import Item
from annotation.models.fields import public_key
from annotation.models.people.annotator import Annotator


def random_place() -> int:
    """Return 31 random bits: the place of an entry where lists are shuffled."""
    return secrets.randbits(31)


class WorkList(models.Model):
    """The items of one annotator; without one, it waits for the next who has no list."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="work_lists")
    key = public_key()
    name = models.CharField(max_length=60)
    annotator = models.OneToOneField(
        Annotator, models.SET_NULL, null=True, blank=True, related_name="work_list"
    )

    class Meta:
        ordering = ["campaign_id", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "name"], name="work_list_name_once_per_campaign"
            )
        ]

    def __str__(self) -> str:
        return self.name


class WorkListEntry(models.Model):
    """An item on a list. Every sheet of the item belongs to it."""

    work_list = models.ForeignKey(WorkList, models.CASCADE, related_name="entries", db_index=False)
    item = models.ForeignKey(Item, models.CASCADE, related_name="list_entries")
    position = models.PositiveIntegerField(help_text="In the file, from 1.")
    shuffled = models.PositiveIntegerField(default=random_place)

    class Meta:
        ordering = ["work_list_id", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["work_list", "item"], name="work_list_entry_once_per_item"
            )
        ]

    def __str__(self) -> str:
        return f"{self.item_id} on {self.work_list_id}"

"""Sheets: the unit that is claimed and displayed."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models.campaigns.campaign import Campaign
from annotation.models.campaigns.item import Item
from annotation.models.campaigns.substitution import Substitution
from annotation.models.fields import public_key
from annotation.models.people.annotator import Annotator


class Sheet(models.Model):
    """Some substitutions of one item on one occasion.

    Occasion 1 is for anybody who claims it. A later occasion is a hidden repeat for one named
    annotator.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="sheets")
    item = models.ForeignKey(Item, models.CASCADE, related_name="sheets")
    key = public_key()
    number = models.PositiveIntegerField(help_text="Within item, occasion and annotator, from 1.")
    occasion = models.PositiveSmallIntegerField(default=1)
    for_annotator = models.ForeignKey(
        Annotator, models.CASCADE, null=True, related_name="repeat_sheets"
    )
    not_before_done = models.PositiveIntegerField(
        default=0, help_text="A repeat waits until its annotator has done this many sheets."
    )
    shared = models.BooleanField(default=False, help_text="Every annotator judges this sheet.")
    slots_wanted = models.PositiveSmallIntegerField(
        help_text="How many annotators it is for; a shared sheet takes everybody."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "number"],
                condition=Q(for_annotator__isnull=True),
                name="sheet_number_once_per_item",
            ),
            models.UniqueConstraint(
                fields=["item", "occasion", "for_annotator", "number"],
                condition=Q(for_annotator__isnull=False),
                name="sheet_repeat_number_once",
            ),
            models.CheckConstraint(
                condition=Q(occasion=1, for_annotator__isnull=True)
                | Q(occasion__gt=1, for_annotator__isnull=False, shared=False, slots_wanted=1),
                name="sheet_repeat_has_annotator",
            ),
        ]
        indexes = [
            models.Index(
                fields=["campaign", "id"],
                condition=Q(shared=True),
                name="sheet_shared_in_campaign",
            )
        ]

    def __str__(self) -> str:
        return f"Sheet {self.pk}"


class SheetEntry(models.Model):
    """A substitution on a sheet.

    Occasion and annotator duplicate the sheet's columns (`verify` compares them), so that a
    constraint can prevent an annotator from getting the same substitution twice on one occasion.
    """

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="entries")
    substitution = models.ForeignKey(Substitution, models.CASCADE, related_name="entries")
    occasion = models.PositiveSmallIntegerField(default=1)
    for_annotator = models.ForeignKey(Annotator, models.CASCADE, null=True, related_name="+")

    class Meta:
        ordering = ["sheet_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["substitution", "occasion"],
                condition=Q(for_annotator__isnull=True),
                name="sheet_entry_once_per_occasion",
            ),
            models.UniqueConstraint(
                fields=["substitution", "occasion", "for_annotator"],
                condition=Q(for_annotator__isnull=False),
                name="sheet_entry_repeat_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.substitution_id} on {self.sheet_id}"

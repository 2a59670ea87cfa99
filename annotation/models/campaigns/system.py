"""Paraphrasing systems and their outputs."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models.campaigns.campaign import Campaign
from annotation.models.campaigns.imports import ImportBatch
from annotation.models.campaigns.item import Item
from annotation.models.campaigns.substitution import Substitution
from annotation.models.fields import attributes_field, public_key


class System(models.Model):
    """A paraphrasing system; Callison-Burch files number them ("conditions")."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="systems")
    key = public_key()
    label = models.CharField(max_length=200)
    attributes = attributes_field()
    batch = models.ForeignKey(
        ImportBatch, models.SET_NULL, null=True, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["campaign_id", "label"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "label"], name="system_label_once_per_campaign"
            ),
        ]

    def __str__(self) -> str:
        return self.label


class Output(models.Model):
    """A system's paraphrase of an item at a rank; without a substitution, the system gave none."""

    system = models.ForeignKey(System, models.CASCADE, related_name="outputs")
    item = models.ForeignKey(Item, models.CASCADE, related_name="outputs")
    rank = models.PositiveIntegerField(default=1)
    substitution = models.ForeignKey(
        Substitution, models.CASCADE, null=True, related_name="outputs"
    )
    attributes = attributes_field()
    batch = models.ForeignKey(
        ImportBatch, models.SET_NULL, null=True, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["item_id", "system_id", "rank"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "system", "rank"], name="output_rank_once_per_system_and_item"
            ),
            models.CheckConstraint(condition=Q(rank__gte=1), name="output_rank_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.system_id} {self.item_id} {self.rank}"

"""Phrases to paraphrase, and the sentences they occur in."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from annotation.models.campaigns.campaign import Campaign
from annotation.models.campaigns.imports import ImportBatch
from annotation.models.fields import attributes_field, digest_field, public_key
from paraanno.plain.language_tags import known_tag


class Phrase(models.Model):
    """A text to be replaced, shared by all its contexts."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="phrases")
    key = public_key()
    text = models.TextField()
    text_hash = digest_field()
    attributes = attributes_field()

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "text_hash"], name="phrase_text_once_per_campaign"
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class Item(models.Model):
    """One phrase in one sentence: `sentence[start:end]` is the phrase, in code points."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="items")
    phrase = models.ForeignKey(Phrase, models.CASCADE, related_name="items")
    key = public_key()
    sentence = models.TextField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    language = models.CharField(
        max_length=35,
        blank=True,
        help_text="Of its texts, as a tag of BCP 47; empty: that of the campaign.",
    )
    identity_hash = digest_field()
    position = models.PositiveIntegerField(help_text="The order of import, from 0.")
    attributes = attributes_field()
    batch = models.ForeignKey(ImportBatch, models.SET_NULL, null=True, related_name="items")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "identity_hash"], name="item_text_once_per_campaign"
            ),
            models.UniqueConstraint(
                fields=["campaign", "position"], name="item_position_once_per_campaign"
            ),
            models.CheckConstraint(condition=Q(start__lt=F("end")), name="item_span_not_empty"),
        ]

    def __str__(self) -> str:
        return self.sentence[:80]

    @property
    def before(self) -> str:
        """The sentence before the phrase."""
        return self.sentence[: self.start]

    @property
    def after(self) -> str:
        """The sentence after the phrase."""
        return self.sentence[self.end :]


def language_of(item: Item, campaign: Campaign) -> str:
    """The item's language, else the campaign's, as a tag of BCP 47; empty if it is unknown."""
    return known_tag(item.language or campaign.language)


class OutsideId(models.Model):
    """The id of an item in somebody's file; an item may have several."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="outside_ids")
    item = models.ForeignKey(Item, models.CASCADE, related_name="outside_ids")
    value = models.CharField(max_length=200)
    batch = models.ForeignKey(
        ImportBatch, models.SET_NULL, null=True, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "value"], name="outside_id_once_per_campaign"
            ),
        ]

    def __str__(self) -> str:
        return self.value


class Reference(models.Model):
    """A human-written paraphrase of the item's entire sentence."""

    item = models.ForeignKey(Item, models.CASCADE, related_name="references")
    position = models.PositiveSmallIntegerField()
    text = models.TextField()
    text_hash = digest_field()
    batch = models.ForeignKey(
        ImportBatch, models.SET_NULL, null=True, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["item_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["item", "text_hash"], name="reference_text_once"),
            models.UniqueConstraint(fields=["item", "position"], name="reference_position_once"),
        ]

    def __str__(self) -> str:
        return self.text[:80]

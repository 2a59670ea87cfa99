"""Exclusions: data kept but left out of the statistics."""

from __future__ import annotations

from functools import reduce
from operator import or_

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns.campaign import Campaign
from annotation.models.campaigns.item import Item, Phrase
from annotation.models.campaigns.substitution import Substitution
from annotation.models.campaigns.system import System
from annotation.models.fields import public_key
from annotation.models.people.annotator import Annotator
from paraanno.plain.sentence import say
from paraanno.plain.sentence_columns import kept

OWN_WISH = say("Own wish.")
TARGETS = ("annotator", "phrase", "item", "substitution", "system")


def exactly_one_target() -> Q:
    """Match rows with exactly one of the five target columns set."""
    first, *others = (
        Q(**{f"{name}__isnull": name != chosen for name in TARGETS}) for chosen in TARGETS
    )
    return reduce(or_, others, first)


class Exclusion(models.Model):
    """An exclusion in force from `starts_at` until it is lifted at `ends_at`; never deleted.

    A withdrawal is the annotator's own wish, an exclusion the researcher's decision.
    """

    class Kind(models.TextChoices):
        EXCLUSION = "exclusion", _("Excluded by a researcher")
        WITHDRAWAL = "withdrawal", _("Withdrawn by the annotator")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="exclusions")
    key = public_key()
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.EXCLUSION)
    annotator = models.ForeignKey(Annotator, models.CASCADE, null=True, related_name="exclusions")
    phrase = models.ForeignKey(Phrase, models.CASCADE, null=True, related_name="exclusions")
    item = models.ForeignKey(Item, models.CASCADE, null=True, related_name="exclusions")
    substitution = models.ForeignKey(
        Substitution, models.CASCADE, null=True, related_name="exclusions"
    )
    system = models.ForeignKey(System, models.CASCADE, null=True, related_name="exclusions")
    reason = models.CharField(max_length=300)
    reason_parts = models.JSONField(null=True, help_text="What a service made the reason from.")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="exclusion") | Q(kind="withdrawal", annotator__isnull=False),
                name="exclusion_withdrawal_is_annotators",
            ),
            models.CheckConstraint(
                condition=Q(ends_at__isnull=True) | Q(ends_at__gte=F("starts_at")),
                name="exclusion_ends_after_start",
            ),
            models.CheckConstraint(condition=exactly_one_target(), name="exclusion_has_one_target"),
            *(
                models.UniqueConstraint(
                    fields=[target],
                    condition=Q(ends_at__isnull=True),
                    name=f"exclusion_of_{target}_in_force_once",
                )
                for target in TARGETS
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"

    @property
    def said(self) -> str:
        """The reason: a sentence if the software made it, else the text that a person wrote."""
        if self.kind == Exclusion.Kind.WITHDRAWAL and self.reason == OWN_WISH:
            return OWN_WISH
        return kept(self.reason, self.reason_parts)

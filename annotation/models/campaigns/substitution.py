"""The texts that are judged and scored."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns.campaign import Campaign
from annotation.models.campaigns.imports import ImportBatch
from annotation.models.campaigns.item import Item
from annotation.models.fields import attributes_field, digest_field, public_key


class Substitution(models.Model):
    """One distinct paraphrase text in one item.

    Equal outputs of several systems are one substitution, judged and scored once. Only the role
    OUTPUT enters gold, results and correlation; the other roles are for quality control and
    practice.
    """

    class Role(models.TextChoices):
        OUTPUT = "output", _("Output of a system")
        CONTROL = "control", _("Control with an expected answer")
        DEGRADED = "degraded", _("Degraded copy")
        COPY = "copy", _("Exact copy")
        PRACTICE = "practice", _("Practice")

    # For quality control and practice. An index finds a few roles, and not all but one.
    CHECKS = (Role.CONTROL, Role.DEGRADED, Role.COPY, Role.PRACTICE)

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="substitutions")
    item = models.ForeignKey(Item, models.CASCADE, related_name="substitutions")
    key = public_key()
    text = models.TextField()
    text_hash = digest_field()
    role = models.CharField(max_length=10, choices=Role, default=Role.OUTPUT)
    made_from = models.ForeignKey("self", models.SET_NULL, null=True, related_name="copies")
    own_sentence = models.TextField(  # noqa: DJ001 none is not the empty sentence
        null=True, help_text="Where it is shown in another sentence than its item's."
    )
    own_start = models.PositiveIntegerField(null=True)
    own_end = models.PositiveIntegerField(null=True)
    context_hash = models.CharField(max_length=64, editable=False, default="", blank=True)
    attributes = attributes_field()
    batch = models.ForeignKey(
        ImportBatch, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "role", "text_hash", "context_hash"],
                name="substitution_text_once_per_item_and_role",
            ),
            models.CheckConstraint(
                condition=Q(role__in=["output", "control", "degraded", "copy", "practice"]),
                name="substitution_role_known",
            ),
            models.CheckConstraint(
                condition=~Q(role="output") | Q(made_from__isnull=True),
                name="substitution_output_is_no_copy",
            ),
            models.CheckConstraint(
                condition=Q(own_sentence__isnull=True, own_start__isnull=True, own_end__isnull=True)
                | Q(own_sentence__isnull=False, own_start__lt=F("own_end")),
                name="substitution_own_context_whole",
            ),
        ]
        indexes = [
            models.Index(fields=["text_hash"], name="substitution_by_text"),
            # Counting texts and their items by role reads this alone.
            models.Index(fields=["campaign", "role", "item"], name="substitution_in_role"),
        ]

    def __str__(self) -> str:
        return self.text[:80]

    def context(self) -> tuple[str, str]:
        """The text before and after the replacement, as the annotator sees it.

        Reads `item` if the substitution has no sentence of its own.
        """
        if self.own_sentence is None:
            return self.item.before, self.item.after
        return around(self.own_sentence, self.own_start, self.own_end)

    def sentence(self) -> str:
        """The full sentence with the replacement in place."""
        before, after = self.context()
        return f"{before}{self.text}{after}"


def around(sentence: str, start: int | None, end: int | None) -> tuple[str, str]:
    """The parts of a sentence before `start` and from `end` on."""
    return sentence[:start], sentence[end:]

"""Judgments and their versions."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns.campaign import Campaign, Guideline
from annotation.models.campaigns.imports import ImportBatch
from annotation.models.campaigns.scale import Scale
from annotation.models.campaigns.substitution import Substitution
from annotation.models.collecting.slot import Slot
from annotation.models.people.annotator import Annotator


class Judgment(models.Model):
    """The current answer of one annotator to one question about one substitution.

    There are three kinds of answer: a value; no value but a reason ("cannot judge"); and neither,
    after clearing. The history is in `JudgmentVersion`.
    """

    class Kind(models.TextChoices):
        RATING = "rating", _("Rating")
        ADJUDICATION = "adjudication", _("Adjudication")

    class Status(models.TextChoices):
        DRAFT = "draft", _("Draft: the sheet is not submitted")
        COUNTED = "counted", _("Counted")
        SURPLUS = "surplus", _("Surplus: kept, but beyond the wanted number")

    # Every save pays for every index: where another one begins with the column, none of its own.
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="judgments", db_index=False)
    annotator = models.ForeignKey(
        Annotator, models.RESTRICT, related_name="judgments", db_index=False
    )
    substitution = models.ForeignKey(Substitution, models.RESTRICT, related_name="judgments")
    scale = models.ForeignKey(Scale, models.RESTRICT, related_name="judgments")
    occasion = models.PositiveSmallIntegerField(default=1)
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.RATING)
    value = models.FloatField(null=True)
    reason = models.CharField(max_length=200, blank=True, help_text="Why it cannot be judged.")
    comment = models.TextField(blank=True)
    status = models.CharField(max_length=8, choices=Status, default=Status.DRAFT)
    version = models.PositiveIntegerField(default=1)
    slot = models.ForeignKey(
        Slot, models.RESTRICT, null=True, related_name="judgments", help_text="None: imported."
    )
    guideline = models.ForeignKey(Guideline, models.SET_NULL, null=True, related_name="+")
    batch = models.ForeignKey(ImportBatch, models.SET_NULL, null=True, related_name="judgments")
    recorded_at = models.DateTimeField(help_text="When the server took this version.")
    judged_at = models.DateTimeField(null=True, help_text="As the imported file says.")

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["annotator", "substitution", "scale", "occasion", "kind"],
                name="judgment_once",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["rating", "adjudication"]), name="judgment_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["draft", "counted", "surplus"]),
                name="judgment_status_known",
            ),
            models.CheckConstraint(
                condition=Q(value__isnull=True) | Q(reason=""), name="judgment_value_or_reason"
            ),
            models.CheckConstraint(
                condition=~Q(status="counted") | Q(value__isnull=False) | ~Q(reason=""),
                name="judgment_counted_has_answer",
            ),
            models.CheckConstraint(condition=Q(occasion__gte=1), name="judgment_occasion_from_one"),
        ]
        indexes = [
            models.Index(fields=["campaign", "scale", "status"], name="judgment_in_campaign"),
            models.Index(fields=["annotator", "recorded_at"], name="judgment_by_time"),
            # Counting an annotator's work reads this alone, and no judgment.
            models.Index(
                fields=["annotator", "status", "recorded_at"], name="judgment_of_annotator"
            ),
            # It has only repeats.
            models.Index(
                fields=["campaign", "substitution"],
                condition=Q(occasion__gt=1),
                name="judgment_repeated",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator_id}: {self.value}"

    @property
    def answered(self) -> bool:
        """Whether there is a value, or a reason for having none."""
        return self.value is not None or self.reason != ""


class JudgmentVersion(models.Model):
    """One save; append-only.

    `request_id` is the UUID that the browser made for the save. It identifies a repeated request
    whose response was lost.
    """

    judgment = models.ForeignKey(Judgment, models.CASCADE, related_name="versions", db_index=False)
    version = models.PositiveIntegerField()
    value = models.FloatField(null=True)
    reason = models.CharField(max_length=200, blank=True)
    comment = models.TextField(blank=True)
    status = models.CharField(max_length=8, choices=Judgment.Status)
    guideline = models.ForeignKey(
        Guideline, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    request_id = models.UUIDField(null=True, help_text="None: not from a browser or the API.")
    recorded_at = models.DateTimeField()

    class Meta:
        ordering = ["judgment_id", "version"]
        constraints = [
            models.UniqueConstraint(fields=["judgment", "version"], name="judgment_version_once"),
            models.UniqueConstraint(
                fields=["request_id"],
                condition=Q(request_id__isnull=False),
                name="judgment_request_once",
            ),
            models.CheckConstraint(condition=Q(version__gte=1), name="judgment_version_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.judgment_id} v{self.version}"

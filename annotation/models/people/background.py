"""Background questions about annotators, and their answers."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns.campaign import Campaign
from annotation.models.fields import public_key
from annotation.models.people.annotator import Annotator


class BackgroundQuestion(models.Model):
    """One question. Once it has answers it can only be hidden, so that answers keep their
    wording.
    """

    class Kind(models.TextChoices):
        TEXT = "text", _("Short text")
        NUMBER = "number", _("Number")
        CHOICE = "choice", _("One of several")
        CHOICES = "choices", _("Any of several")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="background_questions")
    key = public_key()
    position = models.PositiveIntegerField()
    name = models.SlugField(max_length=40, help_text="The column of exports.")
    wording = models.CharField(max_length=300)
    kind = models.CharField(max_length=7, choices=Kind, default=Kind.TEXT)
    options = models.JSONField(default=list, blank=True, help_text="Of choices, in order.")
    required = models.BooleanField(default=False)
    accepted = models.JSONField(
        null=True, blank=True,
        help_text="Options of which one is needed to take part; empty: all may.",
    )  # fmt: skip
    hidden_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "name"], name="background_question_name_once_per_campaign"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["text", "number", "choice", "choices"]),
                name="background_question_kind_known",
            ),
        ]

    def __str__(self) -> str:
        return self.wording


class BackgroundAnswer(models.Model):
    """An annotator's answer to one question.

    `value` is a text, a number or a list of options; null for an optional question left empty, or
    for "I would rather not say" (`declined`).
    """

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="background_answers")
    question = models.ForeignKey(BackgroundQuestion, models.RESTRICT, related_name="answers")
    value = models.JSONField(null=True)
    declined = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        ordering = ["annotator_id", "question__position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["annotator", "question"], name="background_answer_once"
            ),
            models.CheckConstraint(
                condition=Q(declined=False) | Q(value__isnull=True),
                name="background_answer_declined_has_no_value",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator_id}: {self.question_id}"

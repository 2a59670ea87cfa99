"""Practice and the test before the first sheet. Their answers are not judgments."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns.campaign import Campaign
from annotation.models.campaigns.scale import Scale
from annotation.models.campaigns.substitution import Substitution
from annotation.models.fields import public_key
from annotation.models.people.annotator import Annotator


class Part(models.TextChoices):
    """Practice explains each answer; the test is passed or failed."""

    PRACTICE = "practice", _("Practice")
    TEST = "test", _("Test")


class PracticeRule(models.Model):
    """Whether and how annotators qualify. Without a rule, the campaign requires nothing."""

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="practice_rule")
    required = models.BooleanField(
        default=False, help_text="Nobody gets a sheet before they have done it."
    )
    share = models.FloatField(default=0.8, help_text="The share of right answers that passes.")
    tries = models.PositiveSmallIntegerField(default=2)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(share__gt=0, share__lte=1), name="practice_rule_share_is_share"
            ),
            models.CheckConstraint(condition=Q(tries__gte=1), name="practice_rule_one_try"),
        ]

    def __str__(self) -> str:
        return f"Practice of {self.campaign_id}"


class PracticeTolerance(models.Model):
    """The allowed distance from the expected value on one scale; 0 without a row."""

    scale = models.OneToOneField(Scale, models.CASCADE, related_name="practice_tolerance")
    tolerance = models.FloatField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(tolerance__gte=0), name="practice_tolerance_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scale_id}: {self.tolerance:g}"


class PracticeText(models.Model):
    """A substitution of role practice, with its part and position."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="practice_texts")
    substitution = models.OneToOneField(Substitution, models.CASCADE, related_name="practice_text")
    part = models.CharField(max_length=8, choices=Part, default=Part.PRACTICE)
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["campaign_id", "part", "position", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(part__in=["practice", "test"]), name="practice_text_part_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.part} {self.position}"


class PracticeAttempt(models.Model):
    """One attempt at a part; a finished test has a result."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="practice_attempts")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="practice_attempts")
    key = public_key()
    part = models.CharField(max_length=8, choices=Part)
    number = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    right = models.PositiveIntegerField(null=True)
    asked = models.PositiveIntegerField(null=True)
    passed = models.BooleanField(null=True)

    class Meta:
        ordering = ["annotator_id", "part", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["annotator", "part", "number"], name="practice_attempt_number_once"
            ),
            models.UniqueConstraint(
                fields=["annotator", "part"],
                condition=Q(finished_at__isnull=True),
                name="practice_attempt_one_open",
            ),
            models.CheckConstraint(
                condition=Q(part__in=["practice", "test"]), name="practice_attempt_part_known"
            ),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True, passed__isnull=True)
                | Q(finished_at__isnull=False, passed__isnull=False),
                name="practice_attempt_finished_has_result",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.part} {self.number} of {self.annotator_id}"


class PracticeAnswer(models.Model):
    """An answer in practice or test, stored apart from all judgments."""

    attempt = models.ForeignKey(PracticeAttempt, models.CASCADE, related_name="answers")
    substitution = models.ForeignKey(Substitution, models.CASCADE, related_name="+")
    scale = models.ForeignKey(Scale, models.CASCADE, related_name="+")
    value = models.FloatField()
    right = models.BooleanField(help_text="By the tolerance of that moment.")
    at = models.DateTimeField()

    class Meta:
        ordering = ["attempt_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["attempt", "substitution", "scale"], name="practice_answer_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.value:g}"


class PracticeGrant(models.Model):
    """A researcher's grant of one more try, or of access without the test."""

    class Kind(models.TextChoices):
        TRY = "try", _("One more try")
        PASS = "pass", _("Let in")

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="practice_grants")
    kind = models.CharField(max_length=4, choices=Kind)
    given_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    given_at = models.DateTimeField()

    class Meta:
        ordering = ["annotator_id", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["try", "pass"]), name="practice_grant_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.annotator_id}"

"""Practice and the test before the first sheet. Their answers are not judgments."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns import Campaign, Scale
from annotation.models.fields import public_key
from annotation.models.people import Annotator, Exclusion
from annotation.models.texts import Substitution


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


# Quality control of annotators: expected values, rules, and actions.


class Expected(models.Model):
    """The band of expected values of a control or practice text on one scale."""

    substitution = models.ForeignKey(Substitution, models.CASCADE, related_name="expected")
    scale = models.ForeignKey(Scale, models.CASCADE, related_name="expected")
    low = models.FloatField()
    high = models.FloatField()
    explanation = models.CharField(
        max_length=500, blank=True, help_text="Why; annotators read it in practice only."
    )

    class Meta:
        ordering = ["substitution_id", "scale_id"]
        verbose_name_plural = "expected"
        constraints = [
            models.UniqueConstraint(fields=["substitution", "scale"], name="expected_once"),
            models.CheckConstraint(condition=Q(low__lte=F("high")), name="expected_low_to_high"),
        ]

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g}"


class QualityPlan(models.Model):
    """The settings of a campaign's hidden quality control; the defaults apply without a row."""

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="quality_plan")
    repeat_share = models.FloatField(
        default=0.0, help_text="The share of each annotator's sheets that comes once more."
    )
    repeat_after = models.PositiveSmallIntegerField(
        default=10, help_text="After at least this many further sheets, at most twice as many."
    )
    fast_seconds = models.FloatField(
        default=1.0, help_text="A sheet is too fast below this many seconds for each answer."
    )
    delay_least = models.PositiveSmallIntegerField(
        default=2, help_text="An action is taken this many sheets after its cause, or later."
    )
    delay_most = models.PositiveSmallIntegerField(default=5)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(repeat_share__gte=0, repeat_share__lte=1),
                name="quality_plan_share_is_share",
            ),
            models.CheckConstraint(
                condition=Q(delay_least__gte=1, delay_least__lte=F("delay_most")),
                name="quality_plan_delay_least_to_most",
            ),
            models.CheckConstraint(
                condition=Q(fast_seconds__gte=0), name="quality_plan_seconds_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"Plan of {self.campaign_id}"


class QualityRule(models.Model):
    """The action for too large a failed share of one check; in force until `ended_at`."""

    class Check(models.TextChoices):
        CONTROL = "control", _("Control outside its band")
        DEGRADED = "degraded", _("Degraded copy not below its original")
        COPY = "copy", _("Exact copy not at the top")
        REPEAT = "repeat", _("Repeat more than one point off")
        FAST = "fast", _("Sheet too fast")
        STRAIGHT = "straight", _("Same value in a long run")

    class Act(models.TextChoices):
        NOTE = "note", _("Note")
        WARN = "warn", _("Warn")
        PAUSE = "pause", _("Pause")
        EXCLUDE = "exclude", _("Exclude")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="quality_rules")
    key = public_key()
    check_name = models.CharField(max_length=10, choices=Check)
    least = models.PositiveIntegerField(help_text="No action before this many checks.")
    share = models.FloatField(help_text="The failed share from which on the rule acts.")
    act = models.CharField(max_length=8, choices=Act)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    check_name__in=["control", "degraded", "copy", "repeat", "fast", "straight"]
                ),
                name="quality_rule_check_known",
            ),
            models.CheckConstraint(
                condition=Q(act__in=["note", "warn", "pause", "exclude"]),
                name="quality_rule_act_known",
            ),
            models.CheckConstraint(
                condition=Q(share__gt=0, share__lte=1), name="quality_rule_share_is_share"
            ),
            models.CheckConstraint(condition=Q(least__gte=1), name="quality_rule_least_from_one"),
            models.UniqueConstraint(
                fields=["campaign", "check_name", "act"],
                condition=Q(ended_at__isnull=True),
                name="quality_rule_in_force_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.check_name}: {self.act}"


class QualityAction(models.Model):
    """An action of a rule about an annotator: decided, taken some sheets later, perhaps
    lifted.

    Rows are never deleted. `evidence` holds the figures of the decision.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="quality_actions")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="quality_actions")
    rule = models.ForeignKey(QualityRule, models.RESTRICT, related_name="actions")
    key = public_key()
    evidence = models.JSONField(default=dict)
    decided_at = models.DateTimeField()
    due_at_done = models.PositiveIntegerField(
        help_text="It is taken when the annotator has done this many sheets."
    )
    taken_at = models.DateTimeField(null=True)
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    read_at = models.DateTimeField(null=True, help_text="When a warning was read.")
    lifted_at = models.DateTimeField(null=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    exclusion = models.ForeignKey(Exclusion, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["annotator", "rule"],
                condition=Q(lifted_at__isnull=True),
                name="quality_action_once_until_lifted",
            ),
            models.CheckConstraint(
                condition=Q(read_at__isnull=True) | Q(taken_at__isnull=False),
                name="quality_action_read_after_taken",
            ),
        ]
        indexes = [models.Index(fields=["campaign", "annotator"], name="quality_action_of_voice")]

    def __str__(self) -> str:
        return f"{self.rule_id} about {self.annotator_id}"

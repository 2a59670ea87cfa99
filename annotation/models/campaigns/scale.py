"""The questions that annotators answer."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns.campaign import Campaign
from annotation.models.fields import public_key


class Scale(models.Model):
    """One question with its allowed values: from minimum to maximum in steps."""

    class Level(models.TextChoices):
        NOMINAL = "nominal", _("Nominal: categories without order")
        ORDINAL = "ordinal", _("Ordinal: ordered points")
        NUMERIC = "numeric", _("Numeric: differences have a meaning")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="scales")
    key = public_key()
    name = models.CharField(max_length=40)
    question = models.CharField(max_length=300, blank=True)
    level = models.CharField(max_length=10, choices=Level, default=Level.ORDINAL)
    minimum = models.FloatField(default=1)
    maximum = models.FloatField(default=5)
    step = models.FloatField(default=1)
    higher_is_better = models.BooleanField(default=True)
    copy_at_top = models.BooleanField(
        default=True,
        help_text="An exact copy of the phrase deserves the best value, whatever the sentence is.",
    )
    threshold = models.FloatField(
        null=True,
        blank=True,
        help_text="A judgment passes from this value on (downwards where lower is better).",
    )
    required = models.BooleanField(default=True)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["campaign_id", "position"]
        constraints = [
            models.UniqueConstraint("campaign", Lower("name"), name="scale_name_once_per_campaign"),
            models.UniqueConstraint(
                fields=["campaign", "position"], name="scale_position_once_per_campaign"
            ),
            models.CheckConstraint(
                condition=Q(level__in=["nominal", "ordinal", "numeric"]), name="scale_level_known"
            ),
            models.CheckConstraint(
                condition=Q(minimum__lt=F("maximum")), name="scale_minimum_below_maximum"
            ),
            models.CheckConstraint(condition=Q(step__gt=0), name="scale_step_positive"),
            models.CheckConstraint(
                condition=Q(threshold__isnull=True)
                | Q(threshold__gte=F("minimum"), threshold__lte=F("maximum")),
                name="scale_threshold_inside",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def holds(self, value: float) -> bool:
        """Whether `value` is a value of the scale."""
        return on_scale(value, minimum=self.minimum, maximum=self.maximum, step=self.step)

    def levels(self, *, at_most: int = 1000) -> list[float]:
        """Return every value in order; empty if there are more than `at_most`."""
        count = round((self.maximum - self.minimum) / self.step) + 1
        if count > at_most:
            return []
        return [round(self.minimum + self.step * number, 9) for number in range(count)]


def on_scale(value: float, *, minimum: float, maximum: float, step: float) -> bool:
    """Whether `value` is finite and one of minimum, minimum + step, ... maximum.

    The tolerance is a billionth of a step: 0.1 x 3 is the value 0.3.
    """
    if not minimum <= value <= maximum:
        return False
    steps = (value - minimum) / step
    return abs(steps - round(steps)) < 1e-9 * max(1, abs(steps))


class ScalePoint(models.Model):
    """A value with its label and its anchor, the sentence that says when to give it."""

    scale = models.ForeignKey(Scale, models.CASCADE, related_name="points")
    value = models.FloatField()
    label = models.CharField(max_length=60, blank=True)
    anchor = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["scale_id", "-value"]
        constraints = [
            models.UniqueConstraint(fields=["scale", "value"], name="scale_point_value_once"),
        ]

    def __str__(self) -> str:
        return f"{self.value:g} {self.label}"


class ThresholdChange(models.Model):
    """The history of a scale's threshold: a report "as of" a date uses the threshold of that
    date.
    """

    scale = models.ForeignKey(Scale, models.CASCADE, related_name="threshold_changes")
    threshold = models.FloatField(null=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    changed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["scale_id", "pk"]

    def __str__(self) -> str:
        return f"{self.scale}: {self.threshold}"

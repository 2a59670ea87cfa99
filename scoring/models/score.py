"""What a run found."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Substitution, System
from scoring.models.fields import OrderedJSONField
from scoring.models.run import Run

VALUE_OR_REASON = Q(value__isnull=True) & ~Q(reason="") | Q(value__isnull=False, reason="")


class Score(models.Model):
    """A run's value for one substitution, or the reason why there is none.

    The database does not look for the run and the text of each row: that would be more than half
    of what storing a row costs. The writer holds the run locked and has just read the text, Django
    deletes scores with either, and `manage.py verify` looks for both.
    """

    # Scores are looked for by run, and by run and text: the unique constraint is their index.
    run = models.ForeignKey(
        Run, models.CASCADE, related_name="scores", db_index=False, db_constraint=False
    )
    substitution = models.ForeignKey(
        Substitution, models.CASCADE, related_name="scores", db_index=False, db_constraint=False
    )
    value = models.FloatField(null=True)
    reason = models.TextField(blank=True)
    reused = models.BooleanField(default=False, help_text="Taken from an earlier run.")
    detail = OrderedJSONField(null=True, help_text="How the metric came to the number.")
    statistics = OrderedJSONField(null=True, help_text="What the text adds to corpus scores.")

    class Meta:
        ordering = ["run_id", "substitution_id"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "substitution"], name="score_once_per_run_and_substitution"
            ),
            models.CheckConstraint(condition=VALUE_OR_REASON, name="score_value_or_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.substitution_id}: {self.value}"


class SystemScore(models.Model):
    """A run's value for a system: over the corpus of its texts, or the mean of their scores.

    `n` counts the texts that the value rests on.
    """

    class Kind(models.TextChoices):
        CORPUS = "corpus", _("Corpus")
        MEAN = "mean", _("Mean of texts")

    run = models.ForeignKey(Run, models.CASCADE, related_name="system_scores")
    system = models.ForeignKey(System, models.CASCADE, related_name="scores")
    kind = models.CharField(max_length=10, choices=Kind)
    value = models.FloatField(null=True)
    n = models.PositiveIntegerField()
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ["run_id", "system_id", "kind"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "system", "kind"], name="system_score_once_per_run_and_kind"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["corpus", "mean"]), name="system_score_kind_known"
            ),
            models.CheckConstraint(condition=VALUE_OR_REASON, name="system_score_value_or_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.system_id} {self.kind}: {self.value}"

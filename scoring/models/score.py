"""Scores of runs."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import Substitution, System
from paraanno.plain.sentence_columns import kept
from scoring.models.fields import OrderedJSONField
from scoring.models.run import Run

VALUE_OR_REASON = Q(value__isnull=True) & ~Q(reason="") | Q(value__isnull=False, reason="")


class Score(models.Model):
    """The score of one substitution in a run, or the reason why it is undefined.

    There are no database-level foreign keys: checking them would be more than half the cost of
    storing a row. The writer holds a lock on the run and has just read the text, Django deletes
    scores together with either, and `manage.py verify` checks both.
    """

    # Scores are looked up by run, and by run and text: the unique constraint is their index.
    run = models.ForeignKey(
        Run, models.CASCADE, related_name="scores", db_index=False, db_constraint=False
    )
    substitution = models.ForeignKey(
        Substitution, models.CASCADE, related_name="scores", db_index=False, db_constraint=False
    )
    value = models.FloatField(null=True)
    reason = models.TextField(blank=True)
    reason_parts = OrderedJSONField(null=True, help_text="What the reason was made from.")
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

    @property
    def said(self) -> str:
        """The reason as a translatable sentence."""
        return kept(self.reason, self.reason_parts)


class SystemScore(models.Model):
    """The score of a system in a run: a corpus score of its texts, or the mean of their scores.

    `n` is the number of texts behind the value.
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
    reason_parts = OrderedJSONField(null=True, help_text="What the reason was made from.")

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

    @property
    def said(self) -> str:
        """The reason as a translatable sentence."""
        return kept(self.reason, self.reason_parts)

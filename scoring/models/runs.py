"""One execution of a metric over a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.fields.json import KeyTransform
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign, Substitution, System
from annotation.models.fields import digest_field, public_key, text_digest
from paraanno.common.records import with_parts
from paraanno.common.texts import revived, revived_json, sentence_json
from paraanno.jobs.row import JobRow, JobStatus
from scoring.metrics.values import Met

# Model fields used only by scoring.


class OrderedJSONField(models.JSONField):
    """JSON whose keys keep their order.

    PostgreSQL's `jsonb` sorts keys, but the order of scales and systems in a report is meaningful;
    `json` keeps it.
    """

    def db_type(self, connection: Any) -> str | None:
        return "json" if connection.vendor == "postgresql" else super().db_type(connection)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        # psycopg parses `json` itself; Django disables that only for `jsonb`.
        if not isinstance(value, str):
            return value
        return super().from_db_value(value, expression, connection)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        """Cast to `json`: Django's cast to `jsonb` would lose the order."""
        if connection.vendor != "postgresql" or not isinstance(value, dict | list):
            return super().get_db_prep_value(value, connection, prepared)
        from psycopg.types.json import Json

        return Json(value)


class SentencesJSONField(OrderedJSONField):
    """The same, and sentences in it stay translatable: see `paraanno.common.texts`."""

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Migrations see an OrderedJSONField, because the columns are the same."""
        name, _, args, options = super().deconstruct()
        path = f"{OrderedJSONField.__module__}.{OrderedJSONField.__qualname__}"
        return name, path, args, options

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if isinstance(value, str) and not isinstance(expression, KeyTransform):
            return revived_json(value)
        return revived(super().from_db_value(value, expression, connection))

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        return super().get_db_prep_value(sentence_json(value), connection, prepared)


EXTERNAL = "external"  # The metric name of imported scores, which no worker computes.


class Run(JobRow):
    """A metric with its options over all outputs that the campaign had when the run started.

    The status goes from queued to preparing, running and done. Each of the first three may also
    become failed or cancelled. A retry requeues a run that is over, and an update requeues a done
    run for texts added later. The job is its preparation; chunks are jobs of their own.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", _("Queued")
        PREPARING = "preparing", _("Preparing")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        CANCELLED = "cancelled", _("Cancelled")

    class Scope(models.TextChoices):
        SENTENCE = "sentence", _("The whole sentence with the paraphrase in place")
        PHRASE = "phrase", _("The phrase and its paraphrase alone")

    ACTIVE = (Status.QUEUED, Status.PREPARING, Status.RUNNING)

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="runs")
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    key = public_key()
    metric = models.CharField(max_length=60)
    label = models.CharField(max_length=200, help_text="What tables and plots call it.")
    scope = models.CharField(max_length=10, choices=Scope, default=Scope.SENTENCE)
    options = models.JSONField(default=dict)
    options_hash = digest_field()
    signature = models.TextField(blank=True)
    met = OrderedJSONField(
        null=True,
        help_text="What its texts were compared with; none for runs older than this column.",
    )
    higher_is_better = models.BooleanField(default=True)
    queue = models.CharField(
        max_length=20, blank=True, help_text="Which workers take it; empty: the usual ones."
    )
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0, help_text="Texts treated, the failed among them.")
    failed = models.PositiveIntegerField(default=0, help_text="Texts on which the metric broke.")
    reused = models.PositiveIntegerField(
        default=0, help_text="Texts whose score was taken from an earlier run."
    )
    last_substitution = models.BigIntegerField(
        default=0, help_text="The greatest id when the run began: later texts are not its own."
    )
    last_reference = models.BigIntegerField(
        null=True, help_text="The same of references; none for runs older than this column."
    )
    last_output = models.BigIntegerField(
        default=0, help_text="The same of outputs when system scores were last made."
    )
    language_changes = models.PositiveIntegerField(
        null=True,
        help_text="The campaign's number when the run began; none where the metric reads any.",
    )
    automatic = models.BooleanField(
        default=False, help_text="It followed an import, as its campaign wants."
    )
    state = models.JSONField(null=True, help_text="What the metric counted over all texts.")
    state_hash = models.CharField(max_length=64, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    resumed_at = models.DateTimeField(
        null=True, help_text="When scoring began, the last time that it did."
    )
    resumed_done = models.PositiveIntegerField(default=0, help_text="Texts treated since then.")

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    status__in=["queued", "preparing", "running", "done", "failed", "cancelled"]
                ),
                name="run_status_known",
            ),
            models.CheckConstraint(
                condition=Q(scope__in=["sentence", "phrase"]), name="run_scope_known"
            ),
            models.CheckConstraint(
                condition=Q(failed__lte=models.F("done")), name="run_failed_are_among_done"
            ),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True, status__in=["queued", "preparing", "running"])
                | Q(finished_at__isnull=False, status__in=["done", "failed", "cancelled"]),
                name="run_finished_means_over",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(error=""), name="run_failed_says_why"
            ),
            # A double click, or two users who start the same metric, make one run.
            models.UniqueConstraint(
                fields=["campaign", "options_hash"],
                condition=Q(status__in=["queued", "preparing", "running"]),
                name="run_active_once_per_options",
            ),
        ]
        indexes = [
            models.Index(
                fields=["status"],
                condition=Q(status__in=["queued", "preparing", "running"]),
                name="run_active",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label} ({self.status})"

    @property
    def full_signature(self) -> str:
        """The signature with what the texts were compared with, where that is known.

        Scores are reused, and runs resumed, by `signature` alone: the counts are those of the run,
        and the score of a text does not depend on other texts' references.
        """
        return f"{self.signature}|{self.compared}" if self.compared else self.signature

    @property
    def completed(self) -> float | None:
        return min(1.0, self.done / self.total) if self.total else None

    @property
    def rate(self) -> float | None:
        """Texts per second since scoring last began, without those whose scores were there."""
        if self.resumed_at is None or not self.resumed_done:
            return None
        seconds = ((self.finished_at or timezone.now()) - self.resumed_at).total_seconds()
        return self.resumed_done / seconds if seconds > 0 else None

    @property
    def seconds_left(self) -> int | None:
        rate = self.rate
        if not rate or self.status != self.Status.RUNNING:
            return None
        return round(max(0, self.total - self.done) / rate)

    @property
    def compared(self) -> Met | None:
        """What its texts were compared with; None if unknown."""
        return Met(**self.met) if self.met else None

    @property
    def imported(self) -> bool:
        """Whether its scores were imported, so that it cannot be cancelled or retried."""
        return self.metric == EXTERNAL


def run_options_hash(metric: str, options: Mapping[str, str], scope: str) -> str:
    """The hash that runs of one metric with equal options share."""
    flat = [part for option in sorted(options.items()) for part in option]
    return text_digest(metric, scope, *flat)


# Chunks of a run.


class RunChunk(JobRow):
    """Some items of a run, scored together; `first_item` and `last_item` are item ids.

    `suspect` is the substitution that the process was about to score when texts are scored one at a
    time: if the process dies, that text is the cause.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    first_item = models.BigIntegerField()
    last_item = models.BigIntegerField()
    total = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    suspect = models.BigIntegerField(null=True)

    class Meta:
        ordering = ["run_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="chunk_number_once_per_run"),
            models.CheckConstraint(
                condition=Q(status__in=JobStatus.values),
                name="chunk_status_known",
            ),
            models.CheckConstraint(
                condition=Q(first_item__lte=F("last_item")), name="chunk_range_not_reversed"
            ),
            models.CheckConstraint(
                condition=Q(failed__lte=F("done")), name="chunk_failed_are_among_done"
            ),
            models.CheckConstraint(
                condition=~Q(status="running") | (Q(started_at__isnull=False) & ~Q(worker="")),
                name="chunk_running_has_worker",
            ),
        ]
        indexes = [
            models.Index(fields=["run", "status", "number"], name="chunk_to_claim"),
            models.Index(fields=["run", "first_item"], name="chunk_by_items"),
            models.Index(
                fields=["worker"], condition=Q(status="running"), name="chunk_running_by_worker"
            ),
        ]

    def __str__(self) -> str:
        return f"Chunk {self.number} of run {self.run_id}: {self.status}"


# Scores of runs.


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
    def sentence(self) -> str:
        """The reason as a translatable sentence."""
        return with_parts(self.reason, self.reason_parts)


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
    def sentence(self) -> str:
        """The reason as a translatable sentence."""
        return with_parts(self.reason, self.reason_parts)

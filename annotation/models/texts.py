"""Phrases to paraphrase, and the sentences they occur in."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns import Campaign, Scale
from annotation.models.fields import attributes_field, digest_field, public_key
from paraanno.common.cells import known_tag
from paraanno.common.texts import revived
from paraanno.jobs.row import OVER, JobRow, JobStatus

# The origin of imported rows.


class ImportBatch(models.Model):
    """One imported file, with the number of rows it added."""

    class What(models.TextChoices):
        ITEMS = "items", _("Items")
        JUDGMENTS = "judgments", _("Judgments")
        GOLD = "gold", _("Gold")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="batches")
    key = public_key()
    what = models.CharField(max_length=10, choices=What)
    file_name = models.CharField(max_length=255)
    sha256 = digest_field()
    rows = models.PositiveIntegerField()
    counts = models.JSONField(default=dict)
    provenance = models.JSONField(
        default=dict, help_text="How the file was made here: signature, cut-offs, what was drawn."
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(what__in=["items", "judgments", "gold"]), name="import_what_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.what} from {self.file_name}"


class ColumnMapping(models.Model):
    """What the columns of a table are: kept with the campaign, for the next table like it.

    `mapping` is the JSON of a `ColumnMap`. An equal one is kept once.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="column_mappings")
    key = public_key()
    what = models.CharField(max_length=10, choices=ImportBatch.What)
    file_name = models.CharField(max_length=255)
    mapping = models.JSONField()
    digest = digest_field()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(what__in=["items", "judgments", "gold"]),
                name="column_mapping_what_known",
            ),
            models.UniqueConstraint(
                fields=["campaign", "digest"], name="column_mapping_once_per_campaign"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.what} as in {self.file_name}"


class ImportJob(JobRow):
    """A large file that a worker imports, or checks.

    `done` and `total` count its rows; a row is done when it is checked and, unless this is a dry
    run, written. `report` is the import's, with at most some thousand problems. The file is kept
    until the job ends; that of a dry run whose result a page shows, until somebody decides.
    """

    class What(models.TextChoices):
        ITEMS = "items", _("Items")
        JUDGMENTS = "judgments", _("Judgments")
        GOLD = "gold", _("Gold")
        SCORES = "scores", _("Scores")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="import_jobs")
    key = public_key()
    what = models.CharField(max_length=10, choices=What)
    file_name = models.CharField(max_length=255)
    path = models.CharField(max_length=500, blank=True, help_text="Relative to the data folder.")
    options = models.JSONField(default=dict)
    dry_run = models.BooleanField(default=False)
    to_confirm = models.BooleanField(default=False, help_text="Keep the file after a dry run.")
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    report = models.JSONField(null=True)
    batch = models.ForeignKey(ImportBatch, models.SET_NULL, null=True, related_name="jobs")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=JobStatus.values),
                name="import_job_status_known",
            ),
            models.CheckConstraint(
                condition=~Q(status="done") | Q(report__isnull=False),
                name="import_job_done_has_report",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(error=""), name="import_job_failed_says_why"
            ),
            models.CheckConstraint(
                condition=Q(status__in=OVER) | ~Q(path=""),
                name="import_job_waiting_has_file",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.what} from {self.file_name} ({self.status})"

    @property
    def completed(self) -> float | None:
        return self.done / self.total if self.total else None

    @property
    def full_report(self) -> dict[str, object]:
        """The report, with its problems as translatable sentences; empty if there is none."""
        report: dict[str, object] = revived(self.report or {})
        return report

    @property
    def stored(self) -> Path:
        """The path of the file."""
        return Path(settings.DATA_DIR) / self.path


class Phrase(models.Model):
    """A text to be replaced, shared by all its contexts."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="phrases")
    key = public_key()
    text = models.TextField()
    text_hash = digest_field()
    attributes = attributes_field()

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "text_hash"], name="phrase_text_once_per_campaign"
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class Item(models.Model):
    """One phrase in one sentence: `sentence[start:end]` is the phrase, in code points."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="items")
    phrase = models.ForeignKey(Phrase, models.CASCADE, related_name="items")
    key = public_key()
    sentence = models.TextField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    language = models.CharField(
        max_length=35,
        blank=True,
        help_text="Of its texts, as a tag of BCP 47; empty: that of the campaign.",
    )
    identity_hash = digest_field()
    position = models.PositiveIntegerField(help_text="The order of import, from 0.")
    attributes = attributes_field()
    batch = models.ForeignKey(ImportBatch, models.SET_NULL, null=True, related_name="items")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "identity_hash"], name="item_text_once_per_campaign"
            ),
            models.UniqueConstraint(
                fields=["campaign", "position"], name="item_position_once_per_campaign"
            ),
            models.CheckConstraint(condition=Q(start__lt=F("end")), name="item_span_not_empty"),
        ]

    def __str__(self) -> str:
        return self.sentence[:80]

    @property
    def before(self) -> str:
        """The sentence before the phrase."""
        return self.sentence[: self.start]

    @property
    def after(self) -> str:
        """The sentence after the phrase."""
        return self.sentence[self.end :]


def language_of(item: Item, campaign: Campaign) -> str:
    """The item's language, else the campaign's, as a tag of BCP 47; empty if it is unknown."""
    return known_tag(item.language or campaign.language)


class OutsideId(models.Model):
    """The id of an item in somebody's file; an item may have several."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="outside_ids")
    item = models.ForeignKey(Item, models.CASCADE, related_name="outside_ids")
    value = models.CharField(max_length=200)
    batch = models.ForeignKey(
        ImportBatch, models.SET_NULL, null=True, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "value"], name="outside_id_once_per_campaign"
            ),
        ]

    def __str__(self) -> str:
        return self.value


class Reference(models.Model):
    """A human-written paraphrase of the item's entire sentence."""

    item = models.ForeignKey(Item, models.CASCADE, related_name="references")
    position = models.PositiveSmallIntegerField()
    text = models.TextField()
    text_hash = digest_field()
    batch = models.ForeignKey(
        ImportBatch, models.SET_NULL, null=True, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["item_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["item", "text_hash"], name="reference_text_once"),
            models.UniqueConstraint(fields=["item", "position"], name="reference_position_once"),
        ]

    def __str__(self) -> str:
        return self.text[:80]


# The texts that are judged and scored.


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


# Paraphrasing systems and their outputs.


class System(models.Model):
    """A paraphrasing system; Callison-Burch files number them ("conditions")."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="systems")
    key = public_key()
    label = models.CharField(max_length=200)
    attributes = attributes_field()
    batch = models.ForeignKey(
        ImportBatch, models.SET_NULL, null=True, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["campaign_id", "label"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "label"], name="system_label_once_per_campaign"
            ),
        ]

    def __str__(self) -> str:
        return self.label


class Output(models.Model):
    """A system's paraphrase of an item at a rank; without a substitution, the system gave none."""

    system = models.ForeignKey(System, models.CASCADE, related_name="outputs")
    item = models.ForeignKey(Item, models.CASCADE, related_name="outputs")
    rank = models.PositiveIntegerField(default=1)
    substitution = models.ForeignKey(
        Substitution, models.CASCADE, null=True, related_name="outputs"
    )
    attributes = attributes_field()
    batch = models.ForeignKey(
        ImportBatch, models.SET_NULL, null=True, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["item_id", "system_id", "rank"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "system", "rank"], name="output_rank_once_per_system_and_item"
            ),
            models.CheckConstraint(condition=Q(rank__gte=1), name="output_rank_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.system_id} {self.item_id} {self.rank}"


# Gold values from other sources.


class ImportedGold(models.Model):
    """A published mean, with its standard deviation if known."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="imported_gold")
    substitution = models.ForeignKey(Substitution, models.CASCADE, related_name="imported_gold")
    scale = models.ForeignKey(Scale, models.CASCADE, related_name="imported_gold")
    value = models.FloatField()
    n = models.PositiveIntegerField(null=True)
    spread = models.FloatField(null=True, help_text="Standard deviation.")
    method = models.CharField(max_length=100, blank=True)
    source = models.CharField(max_length=200)
    batch = models.ForeignKey(ImportBatch, models.SET_NULL, null=True, related_name="gold")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["substitution", "scale", "source"], name="imported_gold_once_per_source"
            ),
            models.CheckConstraint(
                condition=Q(spread__isnull=True) | Q(spread__gte=0),
                name="imported_gold_spread_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.value:g} from {self.source}"

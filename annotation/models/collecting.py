"""Judgments and their versions."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns import Campaign, Guideline, Scale
from annotation.models.fields import public_key
from annotation.models.people import Annotator
from annotation.models.texts import ImportBatch, Item, Substitution

# Sheets: the unit that is claimed and displayed.


class Sheet(models.Model):
    """Some substitutions of one item on one occasion.

    Occasion 1 is for anybody who claims it. A later occasion is a hidden repeat for one named
    annotator.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="sheets")
    item = models.ForeignKey(Item, models.CASCADE, related_name="sheets")
    key = public_key()
    number = models.PositiveIntegerField(help_text="Within item, occasion and annotator, from 1.")
    occasion = models.PositiveSmallIntegerField(default=1)
    for_annotator = models.ForeignKey(
        Annotator, models.CASCADE, null=True, related_name="repeat_sheets"
    )
    not_before_done = models.PositiveIntegerField(
        default=0, help_text="A repeat waits until its annotator has done this many sheets."
    )
    shared = models.BooleanField(default=False, help_text="Every annotator judges this sheet.")
    slots_wanted = models.PositiveSmallIntegerField(
        help_text="How many annotators it is for; a shared sheet takes everybody."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "number"],
                condition=Q(for_annotator__isnull=True),
                name="sheet_number_once_per_item",
            ),
            models.UniqueConstraint(
                fields=["item", "occasion", "for_annotator", "number"],
                condition=Q(for_annotator__isnull=False),
                name="sheet_repeat_number_once",
            ),
            models.CheckConstraint(
                condition=Q(occasion=1, for_annotator__isnull=True)
                | Q(occasion__gt=1, for_annotator__isnull=False, shared=False, slots_wanted=1),
                name="sheet_repeat_has_annotator",
            ),
        ]
        indexes = [
            models.Index(
                fields=["campaign", "id"],
                condition=Q(shared=True),
                name="sheet_shared_in_campaign",
            )
        ]

    def __str__(self) -> str:
        return f"Sheet {self.pk}"


class SheetEntry(models.Model):
    """A substitution on a sheet.

    Occasion and annotator duplicate the sheet's columns (`verify` compares them), so that a
    constraint can prevent an annotator from getting the same substitution twice on one occasion.
    """

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="entries")
    substitution = models.ForeignKey(Substitution, models.CASCADE, related_name="entries")
    occasion = models.PositiveSmallIntegerField(default=1)
    for_annotator = models.ForeignKey(Annotator, models.CASCADE, null=True, related_name="+")

    class Meta:
        ordering = ["sheet_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["substitution", "occasion"],
                condition=Q(for_annotator__isnull=True),
                name="sheet_entry_once_per_occasion",
            ),
            models.UniqueConstraint(
                fields=["substitution", "occasion", "for_annotator"],
                condition=Q(for_annotator__isnull=False),
                name="sheet_entry_repeat_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.substitution_id} on {self.sheet_id}"


# Annotators' remarks on texts, apart from their ratings.


class Remark(models.Model):
    """A flag, a comment or both, on a sheet or one of its substitutions.

    Append-only: the newest remark on a place is current. One with neither flag nor text withdraws
    the previous one.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="remarks")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="remarks")
    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="remarks")
    substitution = models.ForeignKey(
        Substitution,
        models.CASCADE,
        null=True,
        related_name="remarks",
        help_text="Empty: the item.",
    )
    flagged = models.BooleanField(default=False)
    text = models.TextField(blank=True)
    request_id = models.UUIDField(
        unique=True, help_text="Made by the browser: sent twice, kept once."
    )
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["annotator", "sheet"], name="remark_of_annotator"),
            models.Index(fields=["campaign", "-id"], name="remark_newest"),
        ]

    def __str__(self) -> str:
        return f"Remark {self.pk} of {self.annotator}"


# Sheets that annotators gave back.


class Skip(models.Model):
    """A sheet given back by an annotator, with the reason; it is not offered to them again."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="skips")
    annotator = models.ForeignKey(Annotator, models.RESTRICT, related_name="skips")
    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="skips")
    reason = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["annotator", "sheet"], name="skip_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="skip_has_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.annotator_id} skipped {self.sheet_id}"


# Slots: the places for annotators on a sheet.


class Slot(models.Model):
    """One of the k places on a sheet.

    A sheet never has more annotators than slots, and no annotator twice, because of unique (sheet,
    number), unique (sheet, annotator), and a claim that updates one free row.
    """

    class State(models.TextChoices):
        FREE = "free", _("Free")
        CLAIMED = "claimed", _("Claimed")
        DONE = "done", _("Done")
        VOID = "void", _("Void")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="slots", db_index=False)
    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="slots", db_index=False)
    key = public_key()
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=8, choices=State, default=State.FREE)
    annotator = models.ForeignKey(
        Annotator, models.RESTRICT, null=True, related_name="slots", db_index=False
    )
    claimed_at = models.DateTimeField(null=True)
    lease_expires_at = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)
    tier = models.PositiveSmallIntegerField(help_text="Lower tiers are handed out first.")
    scan_key = models.BigIntegerField(
        help_text="The place in its tier; see annotation/sheets/slots.py."
    )

    class Meta:
        ordering = ["sheet_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "number"], name="slot_number_once_per_sheet"),
            models.UniqueConstraint(
                fields=["sheet", "annotator"], name="slot_annotator_once_per_sheet"
            ),
            models.CheckConstraint(
                condition=Q(
                    state="free",
                    annotator__isnull=True,
                    claimed_at__isnull=True,
                    lease_expires_at__isnull=True,
                    done_at__isnull=True,
                )
                | Q(
                    state="claimed",
                    annotator__isnull=False,
                    claimed_at__isnull=False,
                    lease_expires_at__isnull=False,
                    done_at__isnull=True,
                )
                | Q(
                    state="done",
                    annotator__isnull=False,
                    claimed_at__isnull=False,
                    lease_expires_at__isnull=True,
                    done_at__isnull=False,
                )
                | Q(state="void", lease_expires_at__isnull=True),
                name="slot_state_fits_its_columns",
            ),
        ]
        indexes = [
            models.Index(
                fields=["campaign", "tier", "scan_key"],
                condition=Q(state="free"),
                name="slot_free_in_order",
            ),
            models.Index(
                fields=["campaign", "lease_expires_at"],
                condition=Q(state="claimed"),
                name="slot_claimed_by_lease",
            ),
            models.Index(fields=["annotator", "state", "done_at"], name="slot_of_annotator"),
            # Counting by state, and what was done in the last hours, read this alone.
            models.Index(fields=["campaign", "state", "done_at"], name="slot_done_in_campaign"),
        ]

    def __str__(self) -> str:
        return f"Slot {self.number} of sheet {self.sheet_id}: {self.state}"


class SlotEvent(models.Model):
    """One change of a slot, with its time; append-only."""

    class Kind(models.TextChoices):
        CLAIMED = "claimed", _("Claimed")
        LOST = "lost", _("Lost to another annotator after the lease")
        RETAKEN = "retaken", _("Taken back by a late save")
        DONE = "done", _("Submitted")
        REOPENED = "reopened", _("Reopened by clearing a value")
        VOIDED = "voided", _("Voided")
        RESTORED = "restored", _("Restored")
        SKIPPED = "skipped", _("Given back by its annotator")

    slot = models.ForeignKey(Slot, models.CASCADE, related_name="events")
    annotator = models.ForeignKey(Annotator, models.CASCADE, null=True, related_name="slot_events")
    kind = models.CharField(max_length=10, choices=Kind)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    kind__in=[
                        "claimed",
                        "lost",
                        "retaken",
                        "done",
                        "reopened",
                        "voided",
                        "restored",
                        "skipped",
                    ]
                ),
                name="slot_event_kind_known",
            ),
        ]
        indexes = [models.Index(fields=["annotator", "slot"], name="slot_event_of_annotator")]

    def __str__(self) -> str:
        return f"{self.slot_id} {self.kind}"


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

    # Every save pays for every index: a column has none of its own where another one begins with
    # it, or where nothing but the deletion of its target would read it.
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="judgments", db_index=False)
    annotator = models.ForeignKey(
        Annotator, models.RESTRICT, related_name="judgments", db_index=False
    )
    substitution = models.ForeignKey(Substitution, models.RESTRICT, related_name="judgments")
    scale = models.ForeignKey(Scale, models.RESTRICT, related_name="judgments", db_index=False)
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
    guideline = models.ForeignKey(
        Guideline, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    batch = models.ForeignKey(
        ImportBatch,
        models.SET_NULL,
        null=True,
        related_name="judgments",
        db_index=False,
        help_text="The file or the pilot that it came from; none: it was given here.",
    )
    by_program = models.BooleanField(
        default=False,
        db_default=False,
        help_text="It was sent with a token, not from a browser.",
    )
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
            # These two have few rows: what was imported, and repeats.
            models.Index(
                fields=["batch"], condition=Q(batch__isnull=False), name="judgment_of_batch"
            ),
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


# Counts that are kept.


class Tally(models.Model):
    """How many judgments or slots of one kind there are: the sum of `n` over the rows of that kind.

    Triggers of the database write it (annotation/sheets/tally.py): nobody else does. A row is
    of judgments if it has a scale, else of slots; free slots have annotator 0. On PostgreSQL every
    statement adds a row, which the worker folds into one later, so that nobody waits for another's
    count. Ids stand without constraints, as counts outlive the rows that they count.
    """

    campaign_id = models.BigIntegerField()
    annotator_id = models.BigIntegerField(default=0)
    scale_id = models.BigIntegerField(default=0)
    state = models.CharField(max_length=8, help_text="Of the slot, or the judgment's status.")
    n = models.BigIntegerField()
    writes = models.BigIntegerField(help_text="Rows that were ever written; never falls.")

    class Meta:
        verbose_name = _("count")
        verbose_name_plural = _("counts")

    def __str__(self) -> str:
        return f"{self.n} {self.state} in campaign {self.campaign_id}"

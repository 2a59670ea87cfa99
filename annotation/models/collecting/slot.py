"""Slots: the places for annotators on a sheet."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns.campaign import Campaign
from annotation.models.collecting.sheet import Sheet
from annotation.models.fields import public_key
from annotation.models.people.annotator import Annotator


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
        help_text="The place in its tier; see services/collecting/opening.py."
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
                        "claimed", "lost", "retaken", "done", "reopened", "voided", "restored",
                        "skipped",
                    ]
                ),
                name="slot_event_kind_known",
            ),
        ]  # fmt: skip
        indexes = [models.Index(fields=["annotator", "slot"], name="slot_event_of_annotator")]

    def __str__(self) -> str:
        return f"{self.slot_id} {self.kind}"

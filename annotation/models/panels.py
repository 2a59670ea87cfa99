"""Panels of a crowd platform: people who come by one link, without a password."""

from __future__ import annotations

import re
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns import Campaign
from annotation.models.fields import digest_field, public_key
from annotation.models.people import Annotator
from annotation.models.texts import Item
from paraanno import clock


class PartOutcome(models.TextChoices):
    """How the participation ended; each has its completion code on the platform."""

    COMPLETE = "complete", _("Complete")
    SCREENED_OUT = "screened_out", _("Screened out")
    FAILED_PRACTICE = "failed_practice", _("Practice not passed")
    FAILED_CHECKS = "failed_checks", _("Checks failed")
    QUOTA_FULL = "quota_full", _("Quota full")
    TIMED_OUT = "timed_out", _("Time was up")
    WITHDRAWN = "withdrawn", _("Withdrawn")


# The logins that people of panels and guests get: nobody knows these names, and they have no
# password. The name alone is the mark of a participant: it comes with the account, without a
# question more.
PARTICIPANT_LOGIN = re.compile(r"(?:panel|guest)-[0-9a-f]{16}")
PARTICIPANTS = Q(username__regex=rf"^{PARTICIPANT_LOGIN.pattern}$")  # among accounts


def participant_login() -> str:
    """Return a new name of this kind."""
    return f"panel-{secrets.token_hex(8)}"


class Panel(models.Model):
    """One link for people of a crowd platform, and what it asks and gives.

    The token is stored as it is: everybody on the platform gets the link, and its page shows it
    again. So is the secret of events: a signature cannot be checked with a hash of it.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="panels")
    key = public_key()
    name = models.CharField(max_length=100)
    token = models.CharField(max_length=64, unique=True, editable=False)
    parameter = models.CharField(
        max_length=40, default="PROLIFIC_PID", help_text="The parameter with the person's id."
    )
    session_parameter = models.CharField(
        max_length=40,
        default="SESSION_ID",
        blank=True,
        help_text="The parameter with the id of their submission, if the platform has one.",
    )
    sheets_per_person = models.PositiveIntegerField()
    max_participants = models.PositiveIntegerField(null=True, blank=True)
    id_pattern = models.CharField(max_length=200, blank=True)
    minutes = models.PositiveIntegerField(
        null=True, blank=True, help_text="From entering; empty: no limit."
    )
    codes = models.JSONField(default=dict, help_text="Completion codes, by outcome.")
    return_url = models.CharField(max_length=500, blank=True)
    event_secret = models.CharField(max_length=200, blank=True)
    pay = models.DecimalField(
        max_digits=8, decimal_places=2, null=True, blank=True, help_text="For the whole part."
    )
    pay_floor = models.DecimalField(
        max_digits=8, decimal_places=2, null=True, blank=True, help_text="Per hour."
    )
    bonus = models.DecimalField(
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        help_text="For a complete part without a failed check.",
    )
    currency = models.CharField(max_length=3, blank=True)
    contact = models.CharField(max_length=200, blank=True, help_text="Shown on the last page.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now, editable=False)
    closed_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True, help_text="When the platform's ids were erased.")

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(sheets_per_person__gte=1), name="panel_has_sheets_per_person"
            ),
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True) | Q(closed_at__isnull=False),
                name="panel_erased_only_when_closed",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def without_code(self) -> list[PartOutcome]:
        """The outcomes after which people would get no code, though the return address passes one
        on: they could not go back to the platform. Nobody's time is up where there is no limit."""
        if "{code}" not in self.return_url:
            return []
        timed = self.minutes is not None
        endings = [one for one in PartOutcome if one != PartOutcome.TIMED_OUT or timed]
        return [one for one in endings if not self.codes.get(one)]

    @property
    def needs_code(self) -> bool:
        """Whether even complete parts would end without their code: nobody is let in."""
        return PartOutcome.COMPLETE in self.without_code


class Participant(models.Model):
    """One person of the platform in one panel.

    The platform's ids are here alone, so that erasing them is one update. A person who enters a
    second panel of the campaign is the same annotator; `sheets_before` says how many sheets they
    had submitted by then. Only the newest row of an annotator is in progress.
    """

    panel = models.ForeignKey(Panel, models.CASCADE, related_name="participants")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="parts")
    key = public_key()
    platform_id = models.CharField(max_length=128, blank=True)
    submission_id = models.CharField(max_length=128, blank=True)
    sheets_before = models.PositiveIntegerField(default=0)
    quota = models.PositiveIntegerField(help_text="Sheets; 0: came when the panel was full.")
    entered_at = models.DateTimeField()
    outcome = models.CharField(max_length=15, choices=PartOutcome, blank=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["panel_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["panel", "platform_id"],
                condition=~Q(platform_id=""),
                name="participant_once_per_panel",
            ),
            models.UniqueConstraint(
                fields=["panel", "annotator"], name="participant_annotator_once_per_panel"
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=["", *PartOutcome.values]), name="participant_outcome_known"
            ),
            models.CheckConstraint(
                condition=Q(outcome="", ended_at__isnull=True)
                | (~Q(outcome="") & Q(ended_at__isnull=False)),
                name="participant_ended_with_outcome",
            ),
        ]
        indexes = [models.Index(fields=["platform_id"], name="participant_by_platform_id")]

    def __str__(self) -> str:
        return f"{self.annotator_id} in {self.panel_id}: {self.outcome or 'in progress'}"

    def late(self, now: datetime) -> bool:
        """Whether the panel's time is up for somebody who is still at it."""
        minutes = self.panel.minutes
        if self.outcome or minutes is None:
            return False
        return now > self.entered_at + timedelta(minutes=minutes)


class PlatformEvent(models.Model):
    """An event that the platform sent, so that a repeated one does nothing; append-only.

    Only hashes: neither the id of an event nor its signature identifies a person.
    """

    panel = models.ForeignKey(Panel, models.CASCADE, related_name="events")
    event_hash = digest_field()
    signature_hash = digest_field()
    status = models.CharField(max_length=40)
    at = models.DateTimeField()

    class Meta:
        ordering = ["panel_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["panel", "event_hash"], name="platform_event_once"),
            models.UniqueConstraint(
                fields=["panel", "signature_hash"], name="platform_event_signature_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.status} for {self.panel_id}"


class PartRecord(models.Model):
    """The outcome of an annotator's participation in a panel, without anything of the platform.

    Made of Participant before a campaign is archived; a restored campaign has these rows alone.
    """

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="part_records")
    number = models.PositiveSmallIntegerField(help_text="Of the annotator's parts, from 1.")
    panel = models.CharField(max_length=100, help_text="Its name.")
    outcome = models.CharField(max_length=15, choices=PartOutcome, blank=True)
    sheets = models.PositiveIntegerField()
    quota = models.PositiveIntegerField()
    active_seconds = models.PositiveIntegerField()

    class Meta:
        ordering = ["annotator_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["annotator", "number"], name="part_record_number_once"),
            models.CheckConstraint(
                condition=Q(outcome__in=["", *PartOutcome.values]), name="part_record_outcome_known"
            ),
        ]

    def __str__(self) -> str:
        return f"Part {self.number} of {self.annotator_id}: {self.outcome or 'in progress'}"


# Fixed lists: who judges what, where a campaign does not hand sheets out from its pool.


def random_place() -> int:
    """Return 31 random bits: the place of an entry where lists are shuffled."""
    return secrets.randbits(31)


class WorkList(models.Model):
    """The items of one annotator; without one, it waits for the next who has no list."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="work_lists")
    key = public_key()
    name = models.CharField(max_length=60)
    annotator = models.OneToOneField(
        Annotator, models.SET_NULL, null=True, blank=True, related_name="work_list"
    )

    class Meta:
        ordering = ["campaign_id", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "name"], name="work_list_name_once_per_campaign"
            )
        ]

    def __str__(self) -> str:
        return self.name


class WorkListEntry(models.Model):
    """An item on a list. Every sheet of the item belongs to it."""

    work_list = models.ForeignKey(WorkList, models.CASCADE, related_name="entries", db_index=False)
    item = models.ForeignKey(Item, models.CASCADE, related_name="list_entries")
    position = models.PositiveIntegerField(help_text="In the file, from 1.")
    shuffled = models.PositiveIntegerField(default=random_place)

    class Meta:
        ordering = ["work_list_id", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["work_list", "item"], name="work_list_entry_once_per_item"
            )
        ]

    def __str__(self) -> str:
        return f"{self.item_id} on {self.work_list_id}"

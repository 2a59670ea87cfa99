"""Annotators."""

from __future__ import annotations

import secrets
from functools import reduce
from operator import or_

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns import Campaign, Membership
from annotation.models.fields import digest_field, public_key
from annotation.models.texts import Item, Phrase, Substitution, System
from paraanno import clock
from paraanno.common.records import with_parts
from paraanno.common.texts import say

# How much annotators judge: at least, at most, the largest share, or fixed lists.


def _bounds(name: str, of: str = "sheets") -> models.BaseConstraint:
    least, most = f"{of}_at_least", f"{of}_at_most"
    return models.CheckConstraint(
        condition=Q(**{f"{most}__isnull": True})
        | Q(**{f"{most}__gte": F(least)})
        | Q(**{f"{least}__isnull": True}),
        name=f"{name}_least_up_to_most",
    )


class WorkGroup(models.Model):
    """Some annotators of a campaign, with their own numbers of sheets per person and in total."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="work_groups")
    key = public_key()
    name = models.CharField(max_length=60)
    sheets_at_least = models.PositiveIntegerField(null=True, blank=True)
    sheets_at_most = models.PositiveIntegerField(null=True, blank=True)
    total_at_least = models.PositiveIntegerField(
        null=True, blank=True, help_text="Sheets of the whole group."
    )
    total_at_most = models.PositiveIntegerField(
        null=True, blank=True, help_text="Sheets of the whole group, open ones too."
    )

    class Meta:
        ordering = ["campaign_id", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "name"], name="work_group_name_once_per_campaign"
            ),
            _bounds("work_group"),
            _bounds("work_group_total", "total"),
        ]

    def __str__(self) -> str:
        return self.name


class WorkRule(models.Model):
    """The numbers of a campaign, for annotators whose group and panel say nothing else, and where
    sheets come from."""

    class Lists(models.TextChoices):
        POOL = "", _("Everybody draws from the pool")
        LISTED = "listed", _("Fixed lists, in their order")
        SHUFFLED = "shuffled", _("Fixed lists, each in a random order")

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="work_rule")
    sheets_at_least = models.PositiveIntegerField(null=True, blank=True)
    sheets_at_most = models.PositiveIntegerField(null=True, blank=True)
    largest_share = models.FloatField(
        null=True, blank=True, help_text="Of the sheets that one annotator may judge, up to 1."
    )
    pay_floor = models.DecimalField(
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        help_text="Per hour, for panels that name none.",
    )
    currency = models.CharField(max_length=12, blank=True)
    lists = models.CharField(max_length=8, choices=Lists, default=Lists.POOL, blank=True)

    class Meta:
        ordering = ["campaign_id"]
        constraints = [
            _bounds("work_rule"),
            models.CheckConstraint(
                condition=Q(largest_share__isnull=True)
                | Q(largest_share__gt=0, largest_share__lte=1),
                name="work_rule_share_is_share",
            ),
            models.CheckConstraint(
                condition=Q(lists__in=["", "listed", "shuffled"]), name="work_rule_lists_known"
            ),
        ]

    def __str__(self) -> str:
        return f"Work in {self.campaign_id}"


def random_seed() -> int:
    """Return 63 random bits, the seed of the annotator's own order of sheets and substitutions."""
    return secrets.randbits(63)


class Annotator(models.Model):
    """The author of judgments in one campaign.

    Anonymous annotators have no identity: statistics that need to know who rated what return
    "undefined: annotators are anonymous".
    """

    class Origin(models.TextChoices):
        INVITED = "invited", _("Invited")
        PARTICIPANT = "participant", _("Participant")
        IMPORTED = "imported", _("Imported")
        SIMULATED = "simulated", _("Simulated")
        ANONYMOUS = "anonymous", _("Anonymous")
        PILOT = "pilot", _("From a pilot")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="annotators")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="annotators"
    )
    key = public_key()
    code = models.CharField(max_length=60, help_text="What exports show.")
    origin = models.CharField(max_length=12, choices=Origin, default=Origin.INVITED)
    seed = models.BigIntegerField(default=random_seed, editable=False)
    not_blind_since = models.DateTimeField(
        null=True, help_text="When this annotator could first see systems and scores."
    )
    invitation = models.ForeignKey(
        "Invitation", models.SET_NULL, null=True, related_name="annotators"
    )
    sheets_at_most = models.PositiveIntegerField(
        null=True, help_text="How many sheets they may be given; empty: no own limit."
    )
    group = models.ForeignKey(
        WorkGroup, models.SET_NULL, null=True, blank=True, related_name="annotators"
    )
    ineligible_since = models.DateTimeField(
        null=True, help_text="When a background answer showed that they are not asked for."
    )
    from_pilot = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        related_name="pilot_voices",
        help_text="Who gave the judgments in the pilot that they were taken over from.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "code"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "code"], name="annotator_code_once_per_campaign"
            ),
            models.UniqueConstraint(
                fields=["campaign", "user"], name="annotator_user_once_per_campaign"
            ),
            models.CheckConstraint(
                condition=Q(
                    origin__in=[
                        "invited",
                        "participant",
                        "imported",
                        "simulated",
                        "anonymous",
                        "pilot",
                    ]
                ),
                name="annotator_origin_known",
            ),
            models.CheckConstraint(
                condition=Q(user__isnull=True) | Q(origin__in=["invited", "participant"]),
                name="annotator_without_login_has_no_user",
            ),
        ]

    def __str__(self) -> str:
        return self.code


# Background questions about annotators, and their answers.


class BackgroundQuestion(models.Model):
    """One question. Once it has answers it can only be hidden, so that answers keep their
    wording.
    """

    class Kind(models.TextChoices):
        TEXT = "text", _("Short text")
        NUMBER = "number", _("Number")
        CHOICE = "choice", _("One of several")
        CHOICES = "choices", _("Any of several")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="background_questions")
    key = public_key()
    position = models.PositiveIntegerField()
    name = models.SlugField(max_length=40, help_text="The column of exports.")
    wording = models.CharField(max_length=300)
    kind = models.CharField(max_length=7, choices=Kind, default=Kind.TEXT)
    options = models.JSONField(default=list, blank=True, help_text="Of choices, in order.")
    required = models.BooleanField(default=False)
    accepted = models.JSONField(
        null=True,
        blank=True,
        help_text="Options of which one is needed to take part; empty: all may.",
    )
    hidden_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "name"], name="background_question_name_once_per_campaign"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["text", "number", "choice", "choices"]),
                name="background_question_kind_known",
            ),
        ]

    def __str__(self) -> str:
        return self.wording


class BackgroundAnswer(models.Model):
    """An annotator's answer to one question.

    `value` is a text, a number or a list of options; null for an optional question left empty, or
    for "I would rather not say" (`declined`).
    """

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="background_answers")
    question = models.ForeignKey(BackgroundQuestion, models.RESTRICT, related_name="answers")
    value = models.JSONField(null=True)
    declined = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        ordering = ["annotator_id", "question__position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["annotator", "question"], name="background_answer_once"
            ),
            models.CheckConstraint(
                condition=Q(declined=False) | Q(value__isnull=True),
                name="background_answer_declined_has_no_value",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator_id}: {self.question_id}"


# Consent texts, and the annotators' consent.


class ConsentText(models.Model):
    """One version of the consent text; append-only. An empty text requires no consent."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="consent_texts")
    version = models.PositiveIntegerField()
    text = models.TextField(blank=True, help_text="Markdown")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "version"], name="consent_text_version_once_per_campaign"
            ),
        ]

    def __str__(self) -> str:
        return f"Consent text {self.version} of {self.campaign}"


class Consent(models.Model):
    """An annotator's consent to one version, in force until they withdraw."""

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="consents")
    text = models.ForeignKey(ConsentText, models.RESTRICT, related_name="consents")
    at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["annotator_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["annotator", "text"],
                condition=Q(ended_at__isnull=True),
                name="consent_in_force_once",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("at")),
                name="consent_ends_after_start",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator_id} agreed to {self.text_id}"


# Exclusions: data kept but left out of the statistics.


OWN_WISH = say("Own wish.")
TARGETS = ("annotator", "phrase", "item", "substitution", "system")


def exactly_one_target() -> Q:
    """Match rows with exactly one of the five target columns set."""
    first, *others = (
        Q(**{f"{name}__isnull": name != chosen for name in TARGETS}) for chosen in TARGETS
    )
    return reduce(or_, others, first)


class Exclusion(models.Model):
    """An exclusion in force from `starts_at` until it is lifted at `ends_at`; never deleted.

    A withdrawal is the annotator's own wish, an exclusion the researcher's decision.
    """

    class Kind(models.TextChoices):
        EXCLUSION = "exclusion", _("Excluded by a researcher")
        WITHDRAWAL = "withdrawal", _("Withdrawn by the annotator")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="exclusions")
    key = public_key()
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.EXCLUSION)
    annotator = models.ForeignKey(Annotator, models.CASCADE, null=True, related_name="exclusions")
    phrase = models.ForeignKey(Phrase, models.CASCADE, null=True, related_name="exclusions")
    item = models.ForeignKey(Item, models.CASCADE, null=True, related_name="exclusions")
    substitution = models.ForeignKey(
        Substitution, models.CASCADE, null=True, related_name="exclusions"
    )
    system = models.ForeignKey(System, models.CASCADE, null=True, related_name="exclusions")
    reason = models.CharField(max_length=300)
    reason_parts = models.JSONField(null=True, help_text="What a service made the reason from.")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="exclusion") | Q(kind="withdrawal", annotator__isnull=False),
                name="exclusion_withdrawal_is_annotators",
            ),
            models.CheckConstraint(
                condition=Q(ends_at__isnull=True) | Q(ends_at__gte=F("starts_at")),
                name="exclusion_ends_after_start",
            ),
            models.CheckConstraint(condition=exactly_one_target(), name="exclusion_has_one_target"),
            *(
                models.UniqueConstraint(
                    fields=[target],
                    condition=Q(ends_at__isnull=True),
                    name=f"exclusion_of_{target}_in_force_once",
                )
                for target in TARGETS
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"

    @property
    def sentence(self) -> str:
        """The reason: a sentence if the software made it, else the text that a person wrote."""
        if self.kind == Exclusion.Kind.WITHDRAWAL and self.reason == OWN_WISH:
            return OWN_WISH
        return with_parts(self.reason, self.reason_parts)


# Invitations to a campaign.


class Invitation(models.Model):
    """An expiring invitation link. Only the hash of its token is stored, so that a copy of the
    database grants no access.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="invitations")
    key = public_key()
    role = models.CharField(max_length=10, choices=Membership.Role)
    token_hash = digest_field()
    note = models.CharField(max_length=200, blank=True)
    name_only = models.BooleanField(
        default=False, help_text="Annotators give a name alone, and become guests."
    )
    email = models.EmailField(blank=True, help_text="To whom the link was sent.")
    group = models.ForeignKey(
        WorkGroup, models.SET_NULL, null=True, blank=True, related_name="invitations"
    )
    sent_at = models.DateTimeField(null=True, help_text="The last e-mail with a link.")
    reminders = models.PositiveSmallIntegerField(
        default=0, help_text="How often a worker wrote to them by itself."
    )
    reminded_at = models.DateTimeField(null=True)
    no_mail_at = models.DateTimeField(null=True, help_text="When they asked for no more e-mail.")
    max_uses = models.PositiveIntegerField(default=1)
    uses = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["token_hash"], name="invitation_token_once"),
            models.CheckConstraint(
                condition=Q(role__in=["researcher", "annotator", "viewer"]),
                name="invitation_role_known",
            ),
            models.CheckConstraint(
                condition=Q(name_only=False) | Q(role="annotator"),
                name="invitation_name_only_of_annotators",
            ),
            models.CheckConstraint(
                condition=Q(uses__lte=F("max_uses")), name="invitation_uses_within_limit"
            ),
            models.CheckConstraint(
                condition=Q(max_uses__gte=1), name="invitation_max_uses_at_least_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.campaign}"

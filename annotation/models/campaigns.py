"""A campaign, its memberships, guidelines and scales; and what people make and share: who owns it,
and who may see and use it.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotation.models.fields import public_key


class Campaign(models.Model):
    """One evaluation: its items, scales, annotators and settings."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("Draft")
        OPEN = "open", pgettext_lazy("campaign", "Open")
        PAUSED = "paused", _("Paused")
        CLOSED = "closed", _("Closed")

    class Order(models.TextChoices):
        BREADTH = "breadth", _("Every sheet once before any sheet twice")
        DEPTH = "depth", _("Finish a sheet before opening the next")
        PHRASE = "phrase", _("Contexts of one phrase together")
        IMPORTED = "imported", _("As in the imported file")

    class Layout(models.TextChoices):
        ITEM = "item", _("All paraphrases of an item")
        SINGLE = "single", _("One paraphrase at a time")

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    language = models.CharField(
        max_length=35, blank=True, help_text="Of its texts, as a tag of BCP 47; empty: unknown."
    )
    language_changes = models.PositiveIntegerField(
        default=0, help_text="How often the language of texts that were there changed."
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT)
    annotators_per_sheet = models.PositiveSmallIntegerField(
        default=3, help_text="How many annotators judge each sheet (k)."
    )
    max_per_sheet = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="The most substitutions shown together; empty: all of an item.",
    )
    order = models.CharField(max_length=10, choices=Order, default=Order.BREADTH)
    shared_share = models.FloatField(
        default=0.0, help_text="The share of sheets that every annotator judges, from 0 to 1."
    )
    lease_minutes = models.PositiveIntegerField(
        default=60, help_text="How long a claimed sheet waits for its annotator."
    )
    allow_revision = models.BooleanField(
        default=True, help_text="Annotators may change finished sheets while the campaign is open."
    )
    layout = models.CharField(max_length=10, choices=Layout, default=Layout.ITEM)
    layout_choice = models.BooleanField(
        default=True, help_text="Annotators may choose another layout."
    )
    allow_removal = models.BooleanField(
        default=True, help_text="Who withdraws may have their judgments left out."
    )
    allow_erasure = models.BooleanField(
        default=True, help_text="Who withdraws may have their login taken off their code."
    )
    erasure_removes = models.BooleanField(
        default=False,
        help_text="Erasing a person deletes their judgments; else these keep their code.",
    )
    run_metrics = models.BooleanField(
        default=False, help_text="Metrics that need no file score its texts after each import."
    )
    copied_from = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="copies"
    )
    pilot = models.BooleanField(
        default=False, help_text="A try-out of the campaign that it was copied from."
    )
    preview_seen = models.CharField(
        max_length=64, blank=True, help_text="What the preview showed when it was last approved."
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when it is out of the lists and read only."
    )
    origin = models.JSONField(
        default=dict, blank=True, help_text="The campaign and the file that it was restored from."
    )

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["draft", "open", "paused", "closed"]),
                name="campaign_status_known",
            ),
            models.CheckConstraint(
                condition=Q(order__in=["breadth", "depth", "phrase", "imported"]),
                name="campaign_order_known",
            ),
            models.CheckConstraint(
                condition=Q(layout__in=["item", "single"]), name="campaign_layout_known"
            ),
            models.CheckConstraint(
                condition=Q(annotators_per_sheet__gte=1), name="campaign_annotators_at_least_one"
            ),
            models.CheckConstraint(
                condition=Q(max_per_sheet__isnull=True) | Q(max_per_sheet__gte=1),
                name="campaign_max_per_sheet_at_least_one",
            ),
            models.CheckConstraint(
                condition=Q(shared_share__gte=0, shared_share__lte=1),
                name="campaign_shared_share_is_share",
            ),
            models.CheckConstraint(
                condition=Q(lease_minutes__gte=1), name="campaign_lease_at_least_one_minute"
            ),
            models.CheckConstraint(
                condition=~Q(status="open") | Q(archived_at__isnull=True),
                name="campaign_archived_is_not_open",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A user's role in a campaign."""

    class Role(models.TextChoices):
        OWNER = "owner", _("Owner")
        RESEARCHER = "researcher", _("Researcher")
        ANNOTATOR = "annotator", _("Annotator")
        VIEWER = "viewer", _("Viewer")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user"], name="membership_once_per_campaign"
            ),
            models.CheckConstraint(
                condition=Q(role__in=["owner", "researcher", "annotator", "viewer"]),
                name="membership_role_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.campaign}"


class Guideline(models.Model):
    """One version of the guidelines; each judgment records the version its annotator saw."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="guidelines")
    version = models.PositiveIntegerField()
    text = models.TextField(help_text="Markdown")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "version"], name="guideline_version_once_per_campaign"
            ),
        ]

    def __str__(self) -> str:
        return f"Guideline {self.version} of {self.campaign}"


# The questions that annotators answer.


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


# Who may see and use what people make and share.


class Visibility(models.TextChoices):
    MINE = "mine", _("Only its owner")
    CAMPAIGN = "campaign", _("One campaign")
    SITE = "site", _("The whole site")


@dataclass(frozen=True, slots=True)
class Ownership:
    """A scope with its campaign or owner: rows of one place see each other, and no content stands
    there twice.

    `bound`: what is put there came from texts of the campaign and never leaves it.
    """

    scope: Visibility
    campaign: Campaign | None = None
    owner_id: int | None = None
    bound: bool = False

    def fields(self) -> dict[str, object]:
        """The columns of a new row."""
        return {"scope": self.scope, "campaign": self.campaign, "bound": self.bound}

    def binds(self) -> dict[str, object]:
        """The columns that change in a row which is there already: one that is bound stays so."""
        return {"bound": True} if self.bound else {}

    def within(self) -> Q:
        """The rows of the place."""
        if self.scope == Visibility.MINE:
            return Q(scope=self.scope, created_by=self.owner_id)
        return Q(scope=self.scope, campaign=self.campaign)

    def __str__(self) -> str:
        """A text that is different for each place, for hashes."""
        if self.scope == Visibility.MINE:
            return f"{self.scope}:{self.owner_id}"
        return f"{self.scope}:{self.campaign.pk}" if self.campaign else str(self.scope)


class Scoped(models.Model):
    """A row with an owner (`created_by`) and a scope; annotation/access.py reads them."""

    scope = models.CharField(max_length=10, choices=Visibility, default=Visibility.MINE)
    campaign = models.ForeignKey(
        Campaign,
        models.CASCADE,
        null=True,
        related_name="+",
        help_text="Whose owners and researchers see it, if that is its scope.",
    )
    bound = models.BooleanField(
        default=False, help_text="It came from texts of a campaign, so its scope never changes."
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        help_text="Its owner.",
    )

    class Meta:
        abstract = True

    @property
    def place(self) -> Ownership:
        """Where it is."""
        return Ownership(Visibility(self.scope), self.campaign, self.created_by_id, self.bound)


def scope_checks(model: str) -> list[models.CheckConstraint]:
    """What holds in each such table; `model` begins the names."""
    return [
        models.CheckConstraint(
            condition=Q(scope="campaign", campaign__isnull=False)
            | Q(scope__in=["mine", "site"], campaign__isnull=True),
            name=f"{model}_scope_names_campaign",
        ),
        models.CheckConstraint(
            condition=Q(bound=False) | ~Q(scope="site"), name=f"{model}_bound_is_not_site_wide"
        ),
    ]


def once_in_place(model: str, *fields: str) -> list[models.UniqueConstraint]:
    """`fields` stand once in each place."""
    return [
        models.UniqueConstraint(
            fields=[*fields, "created_by"], condition=Q(scope="mine"), name=f"{model}_once_mine"
        ),
        models.UniqueConstraint(
            fields=[*fields, "campaign"],
            condition=Q(scope="campaign"),
            name=f"{model}_once_in_campaign",
        ),
        models.UniqueConstraint(
            fields=[*fields], condition=Q(scope="site"), name=f"{model}_once_in_site"
        ),
    ]


# Templates that people keep.


class SavedTemplate(Scoped):
    """A template for whom its scope names, if they may create campaigns; `text` is the file."""

    key = public_key()
    name = models.SlugField(max_length=60)
    label = models.CharField(max_length=200, help_text="What the list of templates shows.")
    text = models.TextField(help_text="YAML; see docs/templates.md.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["label", "pk"]
        constraints = [*scope_checks("template"), *once_in_place("template", "name")]

    def __str__(self) -> str:
        return self.name

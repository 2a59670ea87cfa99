"""Files that metrics need."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns import Ownership, Scoped, once_in_place, scope_checks
from annotation.models.fields import digest_field, public_key, text_digest
from paraanno.jobs.row import ACTIVE, JobRow


class Resource(JobRow, Scoped):
    """Word vectors, a paraphrase table, synonyms, page counts or n-best lists, known in its place
    by content: who sends the bytes that somebody else has sent gets a row of their own.

    While it is being checked, `source` is the original file; an attempt converts it.
    """

    class Status(models.TextChoices):
        CHECKING = "checking", _("Being checked")
        READY = "ready", _("Ready")
        REFUSED = "refused", _("Refused")

    key = public_key()
    kind = models.CharField(max_length=30, help_text="vectors, table, synonyms, counts, nbest")
    name = models.CharField(max_length=200)
    file_name = models.CharField(max_length=255, blank=True, help_text="As it was given.")
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField()
    path = models.CharField(max_length=500, blank=True, help_text="Relative to the data folder.")
    source = models.CharField(
        max_length=1000,
        blank=True,
        help_text="The file to convert, relative to the data folder; or a full path on the server.",
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.CHECKING)
    progress = models.FloatField(default=0, help_text="Share of the file that is converted.")
    meta = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["kind", "name", "pk"]
        constraints = [
            *scope_checks("resource"),
            *once_in_place("resource", "kind", "sha256"),
            models.CheckConstraint(
                condition=Q(status__in=["checking", "ready", "refused"]),
                name="resource_status_known",
            ),
            models.CheckConstraint(condition=Q(size__gte=0), name="resource_size_not_negative"),
            models.CheckConstraint(
                condition=Q(progress__gte=0, progress__lte=1), name="resource_progress_is_a_share"
            ),
            models.CheckConstraint(
                condition=~Q(status="ready") | ~Q(path=""), name="resource_ready_has_path"
            ),
            models.CheckConstraint(
                condition=~Q(status="refused") | ~Q(error=""), name="resource_refused_says_why"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"

    @property
    def completed(self) -> float | None:
        return self.progress

    @property
    def stored(self) -> Path:
        """The path of the converted store, once it is ready."""
        return Path(settings.DATA_DIR) / self.path

    @property
    def origin(self) -> Path:
        """The path of the file to convert (an absolute path is kept)."""
        return Path(settings.DATA_DIR) / self.source


# Long work that makes a resource of other resources.


FOLDER = "builds"
TEXTS = "texts"  # The role of a campaign's own texts, and of a file that was sent.
PLAIN = "plain"  # The name of the plain file in the store that was built, before its suffix.


def build_digest(signature: str, place: Ownership, further: str = "") -> str:
    """What builds of the same in one place have in common, and no others."""
    return text_digest(signature, str(place), further)


class Build(JobRow, Scoped):
    """A recipe with its options and inputs, carried out stage by stage: after a death the next
    process goes on after the last stage that is whole."""

    ACTIVE = ACTIVE

    key = public_key()
    recipe = models.CharField(max_length=60)
    name = models.CharField(max_length=200, help_text="Of the resource that it makes.")
    options = models.JSONField(default=dict)
    options_hash = digest_field()
    own_texts = models.BooleanField(
        default=False,
        help_text="Its campaign’s own texts are its input `texts`, which the work writes first.",
    )
    signature = models.TextField(blank=True)
    stage = models.CharField(max_length=60, blank=True)
    number = models.PositiveIntegerField(default=0, help_text="Of the stage, from 1.")
    share = models.FloatField(default=0, help_text="Share of the stage that is done.")
    resource = models.ForeignKey(
        Resource, models.SET_NULL, null=True, related_name="builds", help_text="What it made."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            *scope_checks("build"),
            models.CheckConstraint(
                condition=Q(own_texts=False) | Q(bound=True), name="build_of_own_texts_is_bound"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["queued", "running", "done", "failed", "cancelled"]),
                name="build_status_known",
            ),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True, status__in=["queued", "running"])
                | Q(finished_at__isnull=False, status__in=["done", "failed", "cancelled"]),
                name="build_finished_means_over",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(error=""), name="build_failed_says_why"
            ),
            models.CheckConstraint(
                condition=Q(share__gte=0, share__lte=1), name="build_share_is_a_share"
            ),
            # A double click, or two users who ask for the same, make one build.
            models.UniqueConstraint(
                fields=["options_hash"],
                condition=Q(status__in=["queued", "running"]),
                name="build_active_once_per_options",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.recipe}: {self.name} ({self.status})"

    @property
    def ahead(self) -> int:
        """How many stages come before those of the recipe: one that gets its texts ready."""
        return int(self.own_texts or TEXTS in self.roles)

    @property
    def roles(self) -> set[str]:
        """The roles that have an input."""
        return {one.role for one in self.inputs.all()}

    @property
    def stages(self) -> int:
        """How many it has; 0: its recipe is of another version of the software."""
        from scoring.building.recipes.recipe import recipe  # with numpy, which a start needs not

        try:
            return self.ahead + len(recipe(self.recipe).planned(self.options, self.roles))
        except (KeyError, ValueError):
            return 0

    @property
    def completed(self) -> float | None:
        """Of all its stages, as if they took equally long."""
        if not self.stages:
            return None
        return min(1.0, (max(self.number, 1) - 1 + self.share) / self.stages)

    @property
    def folder(self) -> Path:
        """Where its stages are."""
        return Path(settings.DATA_DIR) / FOLDER / str(self.key)


class BuildInput(models.Model):
    """A resource that a build reads, by its role in the recipe; none once it was removed."""

    build = models.ForeignKey(Build, models.CASCADE, related_name="inputs")
    role = models.CharField(max_length=60)
    resource = models.ForeignKey(Resource, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["build_id", "role"]
        constraints = [
            models.UniqueConstraint(fields=["build", "role"], name="build_input_once_per_role"),
        ]

    def __str__(self) -> str:
        return f"{self.role} of build {self.build_id}"

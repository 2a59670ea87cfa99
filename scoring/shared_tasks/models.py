"""Computed boards."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign
from annotation.models.fields import digest_field, public_key
from paraanno.jobs.row import JobRow
from scoring.models.runs import OrderedJSONField

# A shared task, its tracks and its files.


class SharedTask(models.Model):
    """A test that teams take: made of a campaign, then frozen, so that later judgments do not
    change it.

    Its times are the server's: a submission counts from `opens_at` until `closes_at`.
    """

    class Kind(models.TextChoices):
        METRICS = "metrics", _("Metrics: teams choose between texts or score them")
        SYSTEMS = "systems", _("Systems: teams paraphrase the originals")

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        OPEN = "open", _("Open")
        CLOSED = "closed", _("Closed")
        PUBLISHED = "published", _("Published")

    class Gold(models.TextChoices):
        SUM = "sum", _("Mean over annotators of their sums")
        MAJORITY = "majority", _("Majority of the annotators who prefer one text of a pair")

    slug = models.SlugField(max_length=60, unique=True)
    key = public_key()
    title = models.CharField(max_length=200)
    text = models.TextField(blank=True, help_text="For participants; Markdown.")
    licence = models.CharField(max_length=200, blank=True, help_text="Of the files.")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.METRICS)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="shared_tasks")
    judged_in = models.ForeignKey(
        Campaign,
        models.SET_NULL,
        null=True,
        related_name="+",
        help_text="Of a systems task: the campaign in which submissions are judged.",
    )
    train_campaign = models.ForeignKey(
        Campaign,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="Whose texts and gold participants get as train.zip.",
    )
    scales = models.JSONField(default=list, help_text="Names of scales that gold is made of.")
    gold = models.CharField(max_length=10, choices=Gold, default=Gold.SUM)
    public_share = models.FloatField(default=0.3)
    seed = models.BigIntegerField(help_text="Secret until the task is published.")
    per_day = models.PositiveIntegerField(default=5, help_text="Submissions of a team and track.")
    hide_teams = models.BooleanField(default=False, help_text="Until the task is published.")
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    frozen_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    published_at = models.DateTimeField(null=True)
    fingerprint = models.CharField(max_length=64, blank=True, editable=False)
    facts = models.JSONField(default=dict, help_text="Counts of what was frozen.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["draft", "open", "closed", "published"]),
                name="task_state_known",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["metrics", "systems"]), name="task_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(gold__in=["sum", "majority"]), name="task_gold_known"
            ),
            models.CheckConstraint(
                condition=Q(public_share__gte=0, public_share__lt=1),
                name="task_public_share_is_share",
            ),
            models.CheckConstraint(condition=Q(per_day__gte=1), name="task_per_day_at_least_one"),
            models.CheckConstraint(
                condition=Q(state="draft", frozen_at__isnull=True, fingerprint="")
                | (~Q(state="draft") & Q(frozen_at__isnull=False) & ~Q(fingerprint="")),
                name="task_frozen_before_open",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "open"], closed_at__isnull=True)
                | Q(state__in=["closed", "published"], closed_at__isnull=False),
                name="task_closed_has_time",
            ),
            models.CheckConstraint(
                condition=Q(opens_at__isnull=True)
                | Q(closes_at__isnull=True)
                | Q(closes_at__gt=models.F("opens_at")),
                name="task_closes_after_it_opens",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def over(self) -> bool:
        """Whether it was closed, so that final values may be shown."""
        return self.state in (self.State.CLOSED, self.State.PUBLISHED)


class Track(models.Model):
    """One competition of a task: what participants may use, and what counts.

    White's three differ in their inputs (his table 1); segment and system ones evaluate scores as
    the metrics task of WMT does; in a systems task people judge.
    """

    class Measure(models.TextChoices):
        PAIRS = "pairs", _("Pairs in the order of people")
        ACC_EQ = "acc_eq", _("Pairwise accuracy with calibrated ties")
        PEARSON = "pearson", _("Pearson over texts")
        SPEARMAN = "spearman", _("Spearman over texts")
        SOFT = "soft_pairwise_accuracy", _("Soft pairwise accuracy over systems")
        SYSTEM_PAIRS = "pairwise_accuracy", _("Pairwise accuracy over systems")
        SYSTEM_PEARSON = "system_pearson", _("Pearson over systems")
        PEOPLE = "people", _("What people think of the paraphrases")

    task = models.ForeignKey(SharedTask, models.CASCADE, related_name="tracks")
    name = models.SlugField(max_length=40)
    position = models.PositiveSmallIntegerField()
    measure = models.CharField(max_length=30, choices=Measure, default=Measure.PAIRS)
    reference = models.BooleanField(help_text="Whether the original may be used.")
    gold_parse = models.BooleanField(default=False)
    auto_parse = models.BooleanField(default=False)

    class Meta:
        ordering = ["task_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["task", "name"], name="task_track_once"),
            models.UniqueConstraint(fields=["task", "position"], name="task_track_position_once"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def of_pairs(self) -> bool:
        """Whether choices of pairs may be submitted."""
        return self.measure == self.Measure.PAIRS


class Content(models.Model):
    """The compressed bytes of a file. It is in the database, so that it is written together with
    its row, or not at all."""

    packed = models.BinaryField()

    def __str__(self) -> str:
        return f"content {self.pk}"


class TaskFile(models.Model):
    """A file of a task, of one track or of all; SECRET ones leave the server after publishing."""

    class Role(models.TextChoices):
        TEXTS = "texts", _("Texts")
        PAIRS = "pairs", _("Pairs")
        ORIGINALS = "originals", _("Originals")
        REFERENCES = "references", _("References")
        GOLD_PARSE = "gold_parse", _("Gold parses")
        AUTO_PARSE = "auto_parse", _("Automatic parses")
        NBEST = "nbest", _("n-best lists")
        TRAIN = "train", _("Training data")
        FROZEN = "frozen", _("Gold and split")
        DATASHEET = "datasheet", _("Datasheet")

    SECRET = (Role.FROZEN, Role.DATASHEET)
    ADDED = (Role.GOLD_PARSE, Role.AUTO_PARSE, Role.NBEST, Role.TRAIN)
    BESIDE = (*ADDED, Role.DATASHEET)  # Not in the fingerprint, which is that of the test.

    task = models.ForeignKey(SharedTask, models.CASCADE, related_name="files")
    track = models.ForeignKey(Track, models.CASCADE, null=True, related_name="files")
    key = public_key()
    role = models.CharField(max_length=20, choices=Role)
    name = models.CharField(max_length=100)
    size = models.PositiveIntegerField()
    sha256 = digest_field()
    content = models.OneToOneField(Content, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["task_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["task", "name"], condition=Q(track__isnull=True), name="task_file_name_once"
            ),
            models.UniqueConstraint(
                fields=["task", "track", "name"],
                condition=Q(track__isnull=False),
                name="task_file_of_track_name_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class TaskBoard(JobRow):
    """The boards of all tracks of a task on one part, as of a set of submissions.

    The public one is made again after each submission; readers get the newest that is there. The
    final one is made once, after closing.
    """

    class Part(models.TextChoices):
        PUBLIC = "public"
        FINAL = "final"

    task = models.ForeignKey(SharedTask, models.CASCADE, related_name="boards")
    part = models.CharField(max_length=10, choices=Part)
    state_hash = digest_field()
    content = OrderedJSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["task", "part"], name="task_board_once"),
            models.CheckConstraint(
                condition=Q(part__in=["public", "final"]), name="task_board_part_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task}: {self.part}"


# Teams of a shared task.


class Team(models.Model):
    """Who submits. The product's own baselines are a team without members, one for each task."""

    task = models.ForeignKey(SharedTask, models.CASCADE, related_name="teams")
    key = public_key()
    name = models.CharField(max_length=60)
    method = models.TextField(blank=True, help_text="What it did, in its own words; Markdown.")
    is_baseline = models.BooleanField(default=False)
    token_hash = models.CharField(max_length=64, editable=False, help_text="Of the link to join.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["task_id", "pk"]
        constraints = [
            models.UniqueConstraint("task", Lower("name"), name="task_team_once"),
            models.UniqueConstraint(fields=["token_hash"], name="task_team_token_once"),
            models.UniqueConstraint(
                fields=["task"], condition=Q(is_baseline=True), name="task_baselines_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class TeamMember(models.Model):
    """An account in a team; in one team of a task alone."""

    task = models.ForeignKey(SharedTask, models.CASCADE, related_name="+")
    team = models.ForeignKey(Team, models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["team_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["task", "user"], name="task_member_in_one_team"),
        ]

    def __str__(self) -> str:
        return f"{self.user} of {self.team}"


# Submissions, and how many a team made on a day.


class Submission(JobRow):
    """One file of a team for a track. It is never replaced.

    A worker writes `public`, what the team is shown at once. `final` is written when the task has
    closed, and not before.
    """

    track = models.ForeignKey(Track, models.CASCADE, related_name="submissions")
    team = models.ForeignKey(Team, models.CASCADE, related_name="submissions")
    key = public_key()
    number = models.PositiveIntegerField(help_text="Of the team and track, from 1.")
    name = models.CharField(max_length=60)
    note = models.TextField(blank=True)
    baseline = models.CharField(max_length=60, blank=True, help_text="The metric it is made of.")
    form = models.CharField(max_length=10, blank=True)
    format = models.CharField(max_length=10, default="tsv", help_text="Of its file.")
    size = models.PositiveIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True, editable=False)
    content = models.OneToOneField(Content, models.PROTECT, null=True, related_name="+")
    answers = models.OneToOneField(
        Content,
        models.PROTECT,
        null=True,
        related_name="+",
        help_text="What its file says, in the order of the frozen files: decisions or scores as "
        "doubles, texts as JSON. The file is read once, when it comes.",
    )
    primary = models.BooleanField(default=False)
    withdrawn_at = models.DateTimeField(null=True)
    public = OrderedJSONField(null=True)
    final = OrderedJSONField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(help_text="By the server's clock.")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["team", "track", "number"], name="submission_number_once"
            ),
            models.UniqueConstraint(fields=["team", "track", "name"], name="submission_name_once"),
            models.UniqueConstraint(
                fields=["team", "track"],
                condition=Q(primary=True, baseline=""),
                name="submission_one_primary",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(error=""), name="submission_failed_says_why"
            ),
            models.CheckConstraint(
                condition=~Q(baseline="") | Q(content__isnull=False),
                name="submission_of_a_team_has_a_file",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team}: {self.name}"

    @property
    def label(self) -> str:
        """Unique on the board of a track."""
        return str(self.key)


class DayCount(models.Model):
    """How many submissions a team has made to a track on a day (UTC); the limit is a
    compare-and-set on it."""

    track = models.ForeignKey(Track, models.CASCADE, related_name="+")
    team = models.ForeignKey(Team, models.CASCADE, related_name="+")
    day = models.DateField()
    n = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["track", "team", "day"], name="day_count_once"),
        ]

    def __str__(self) -> str:
        return f"{self.team} on {self.day}: {self.n}"

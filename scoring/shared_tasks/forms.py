"""Forms of shared tasks."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext_lazy as _

from annotation.access import User
from annotation.models import Campaign
from scoring.shared_tasks.access import campaigns_organised
from scoring.shared_tasks.models import SharedTask, TaskFile

TRACKS = (
    ("metrics", _("metrics: pairs, from the original alone (White 2012)")),
    ("hybrid", _("hybrid: pairs, with the original and gold parses (White 2012)")),
    ("realization", _("realization: pairs, without the original (White 2012)")),
    ("segment", _("segment: scores of texts, accuracy with calibrated ties (WMT)")),
    ("segment:pearson", _("segment: scores of texts, Pearson")),
    ("segment:spearman", _("segment: scores of texts, Spearman")),
    ("system", _("system: scores of texts by system, soft pairwise accuracy (WMT)")),
    ("system:pairwise_accuracy", _("system: pairwise accuracy over systems")),
    ("system:system_pearson", _("system: Pearson over systems")),
    ("systems", _("systems: teams paraphrase the originals, people judge")),
)


class _Times(forms.Form):
    opens_at = forms.DateTimeField(
        label=_("Opens at"),
        required=False,
        help_text=_("As 2026-11-21 09:00, UTC. If empty, it opens when it is frozen."),
    )
    closes_at = forms.DateTimeField(
        label=_("Closes at"),
        required=False,
        help_text=_("As 2026-11-21 09:00, UTC. If empty, you close it yourself."),
    )
    per_day = forms.IntegerField(
        label=_("Submissions per day"),
        min_value=1,
        max_value=1000,
        initial=5,
        help_text=_("For each team in each track; each submission shows its public value at once."),
    )
    hide_teams = forms.BooleanField(
        label=_("Hide names of teams until the task is published"), required=False
    )
    licence = forms.CharField(
        label=_("Licence of the files"),
        required=False,
        max_length=200,
        help_text=_("Shown to participants, for example CC BY 4.0."),
    )
    text = forms.CharField(
        label=_("What participants should know"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("Markdown: what it is about, whom to ask, where texts came from (datasheet)."),
    )


class TaskForm(_Times):
    """A new task."""

    title = forms.CharField(label=_("Name"), max_length=200)
    slug = forms.SlugField(
        label=_("Short name"),
        max_length=40,
        help_text=_("In addresses and commands: letters, digits, - and _."),
    )
    campaign = forms.ModelChoiceField(
        label=_("Campaign"),
        queryset=Campaign.objects.none(),
        to_field_name="slug",
        help_text=_(
            "Whose texts and judgments make the test. You own it; it is closed, or was "
            "never opened."
        ),
    )
    train = forms.ModelChoiceField(
        label=_("Training campaign"),
        queryset=Campaign.objects.none(),
        to_field_name="slug",
        required=False,
        empty_label=_("none"),
        help_text=_(
            "Another campaign of yours: participants get its texts with gold as train.zip. "
            "Originals that the test has are left out."
        ),
    )
    tracks = forms.MultipleChoiceField(
        label=_("Tracks"), choices=TRACKS, widget=forms.CheckboxSelectMultiple
    )
    gold = forms.ChoiceField(label=_("Gold of pairs"), choices=SharedTask.Gold.choices)
    public_share = forms.FloatField(
        label=_("Public share"),
        min_value=0,
        max_value=0.99,
        initial=0.3,
        help_text=_(
            "Of the originals. Teams see values on this part while the task is open; the "
            "rest decides."
        ),
    )
    field_order = (
        "title",
        "slug",
        "campaign",
        "train",
        "tracks",
        "gold",
        "public_share",
        "opens_at",
        "closes_at",
        "per_day",
        "hide_teams",
        "licence",
        "text",
    )

    def __init__(self, *args: Any, user: User | AnonymousUser, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("campaign", "train"):
            self.fields[name].queryset = campaigns_organised(user=user)  # type: ignore[attr-defined]


class TaskSettingsForm(_Times):
    """What can be changed later."""

    title = forms.CharField(label=_("Name"), max_length=200)
    field_order = ("title", "opens_at", "closes_at", "per_day", "hide_teams", "licence", "text")


class SubmissionForm(forms.Form):
    """A file for a track."""

    track = forms.ChoiceField(label=_("Track"))
    name = forms.CharField(
        label=_("Name of the submission"),
        required=False,
        max_length=60,
        help_text=_("Shown on the board; if empty, your team’s name and a number."),
    )
    note = forms.CharField(
        label=_("Note"),
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("For yourselves: how it was made. Others never see it."),
    )
    file = forms.FileField(
        label=_("File"),
        help_text=_("TSV, CSV or JSON Lines, at most 20 MB."),
        allow_empty_file=True,
    )

    def __init__(self, *args: Any, tracks: list[str], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["track"].choices = [(name, name) for name in tracks]  # type: ignore[attr-defined]


class AttachForm(forms.Form):
    """A further file for participants: parses, n-best lists, training data."""

    role = forms.ChoiceField(
        label=_("Kind"), choices=[(role.value, role.label) for role in TaskFile.ADDED]
    )
    track = forms.ChoiceField(label=_("Track"), required=False)
    file = forms.FileField(label=_("File"), help_text=_("At most 20 MB."))

    def __init__(self, *args: Any, tracks: list[str], **options: Any) -> None:
        super().__init__(*args, **options)
        every = [("", _("all tracks")), *((name, name) for name in tracks)]
        self.fields["track"].choices = every  # type: ignore[attr-defined]
